// SPDX-License-Identifier: MIT
// Conversations, and questions by typing (a run of chat) and by voice (a run of talk). #chat/ID is a stored conversation.
import { end, follow, request, run, runs, send, start } from './api.js';
import { ask, button, fails, field, fill, h, newID, save, sure } from './dom.js';
import { programs, subscribe } from './live.js';
import { bounded } from './markdown.js';
import { changes, join, refill } from './parts.js';
import { date, t } from './texts.js';

export const title = t('Chat');

// A word of the command line: at its beginning, - would be an option, and alone standard input.
const word = (text) => (text.startsWith('-') ? ` ${text}` : text);
const plain = (text) => h('p', { class: 'plain' }, text);
const heading = (entry) => entry.title?.slice(0, 200) || entry.firstQuestion?.slice(0, 60) || t('Untitled');
const conversationOf = (words) => words[words.indexOf('--conversation') + 1 || words.length];

export async function show(container, id, signal) {
  let [current, running, isAsking] = [null, null, false];
  const log = h('div', { class: 'log', role: 'log', 'aria-label': t('Conversation'), tabindex: 0 });
  const bar = h('div', { class: 'row' });
  const input = h('textarea', { rows: 3, maxlength: 30000, dir: 'auto', onkeydown: (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) { event.preventDefault(); submit().catch(fails); }
  } });
  const submitButton = button(t('Send'), submit, 'primary');
  const voice = button(t('Speak'), speak);
  const stop = button(t('Stop'), () => end(running.id), 'danger');
  const over = button(t('End the talk'), () => end(running.id));
  const hearing = h('p', { role: 'status', dir: 'auto' });
  const list = h('ul', { class: 'list' });
  const more = button(t('More'), () => fillList(more.cursor), 'quiet');
  const search = h('input', { type: 'search', oninput: () => { if (!search.value) fillList().catch(fails); } });
  const listTitle = h('h2', { id: 'conversations', tabindex: -1 }, t('Conversations'));
  const meaning = h('input', { type: 'checkbox', id: newID() });

  fill(container,
    h('section', { class: 'stack', 'aria-label': t('Conversation') }, bar, log, hearing,
      field(t('Question'), input, t('Enter sends, Shift and Enter begin a new line.')),
      h('div', { class: 'row' }, submitButton, stop, voice, over)),
    h('section', { class: 'stack', 'aria-labelledby': 'conversations' }, listTitle,
      h('a', { href: '#chat' }, t('New conversation')),
      h('form', { role: 'search', class: 'stack', onsubmit: (event) => { event.preventDefault(); find().catch(fails); } },
        field(t('Find'), search), h('div', { class: 'row' }, meaning, h('label', { for: meaning.id }, t('Also what is alike')), h('button', {}, t('Find')))),
      list, more));
  showRunning(null);

  // Conversations

  async function fillList(cursor) {
    // What was shown by "More" stays.
    const count = String(Math.min(1000, Math.max(40, list.childElementCount)));
    const { conversations, next } = (await run(['conversations', 'list', ...(cursor ? ['--after', cursor] : ['--limit', count])])).out[0];
    const items = conversations.map((entry) => item(entry));
    if (cursor) list.append(...items); else refill(list, listTitle, items);
    more.cursor = next;
    more.hidden = !next;
  }
  async function find() {
    if (!search.value.trim()) return fillList();
    const { matches } = (await run(['conversations', 'search', ...(meaning.checked ? ['--meaning'] : []), word(search.value.trim())])).out[0];
    refill(list, listTitle, matches.length ? matches.map(({ conversation, messages }) => item(conversation, messages[0]?.text)) : h('li', {}, t('Nothing was found.')));
    more.hidden = true;
  }
  function item(entry, excerpt) {
    return h('li', {}, h('a', { href: `#chat/${entry.id}`, dir: 'auto', 'aria-current': entry.id === id ? 'true' : null }, heading(entry)),
      h('p', { class: 'muted' }, date(entry.updatedAt), entry.pinned && ` · ${t('pinned')}`), excerpt && h('p', { dir: 'auto' }, excerpt.slice(0, 160)));
  }
  function showBar(entry) {
    current = entry;
    const act = (words, input) => run(['conversations', ...words], input).then(() => refresh());
    const barTitle = h('h2', { dir: 'auto', tabindex: -1 }, heading(entry));
    refill(bar, barTitle, barTitle,
      button(t('Rename'), async () => {
        const name = h('input', { value: entry.title ?? '', maxlength: 200 });
        const given = await ask(t('Rename'), field(t('Title'), name), [[t('Cancel'), null], [t('Rename'), () => name.value, 'primary']]);
        if (given !== null) await act(['rename', id, ...(given.trim() ? [word(given.trim())] : [])]);
      }),
      button(entry.pinned ? t('Unpin') : t('Pin'), () => act([entry.pinned ? 'unpin' : 'pin', id])),
      button(t('Export'), async () => {
        const format = await ask(t('Export'), h('p', {}, t('The conversation as a file.')), [[t('Cancel'), null], ['JSON', 'json'], ['Markdown', 'markdown', 'primary']]);
        if (!format) return;
        const whole = (await run(['conversations', 'export', id])).out[0];
        const isJSON = format === 'json';
        save(`conversation-${id.slice(0, 8)}.${isJSON ? 'json' : 'md'}`, isJSON ? `${JSON.stringify(whole, null, 2)}\n` : asMarkdown(whole));
      }),
      button(t('Delete'), async () => {
        if (!await sure(t('Delete the conversation?'), t('All its messages are deleted, on all your devices.'), t('Delete'), heading(entry))) return;
        const deleted = id;
        id = null;
        try { await run(['conversations', 'delete', '--yes', deleted]); } catch (error) { id = deleted; throw error; }
        location.hash = '#chat';
      }, 'danger'));
  }
  /** Shows the list, and the conversation if it is new here or has grown. */
  async function update() {
    if (!search.value) await fillList();
    if (!id) return;
    const { conversation, messages } = (await run(['conversations', 'show', id])).out[0];
    if (running || conversation.messages === current?.messages) return;
    showBar(conversation);
    fill(log, messages.map(shown));
    toEnd();
  }
  async function refresh() {
    await fillList();
    const wanted = id;
    if (!wanted) return;
    // It may be deleted meanwhile.
    try { showBar((await run(['conversations', 'show', wanted])).out[0].conversation); } catch (error) { if (id === wanted) throw error; }
  }

  // Questions and answers

  async function submit() {
    const question = input.value.trim();
    if (!question || running || isAsking) return;
    // What is typed from now on is the next question.
    input.value = '';
    input.focus();
    await submitted(question);
  }
  async function submitted(question) {
    if (running || isAsking) return false;
    isAsking = true;
    try {
      await loading.catch(() => {});
      // An answer goes on that was begun before.
      if (running) { giveBack(question); return false; }
      running = { id: null };
      const { order } = (await run(['assistant', 'show'])).out[0];
      const words = ['chat', ...(order.includes('model') ? [] : ['--offline']), ...(id ? ['--conversation', id] : []), word(question)];
      watch(await start(words), words);
      return true;
    } catch (error) {
      showRunning(null);
      giveBack(question);
      throw error;
    } finally { isAsking = false; }
  }
  function giveBack(question) { input.value = join('\n', question, input.value); }
  async function speak() {
    await loading.catch(() => {});
    if (isAsking || signal.aborted) return;
    const words = ['talk', ...(id ? ['--conversation', id] : [])];
    if (!running) watch(await start(words), words);
    await send(running.id, '');
  }
  /** Shows a run from its beginning. */
  async function watch(run, words) {
    showRunning({ id: run, isVoice: words[0] === 'talk' });
    if (!running.isVoice) log.append(shown({ role: 'user', text: words.at(-1).trim() }));
    let finish = null;
    const finished = new Promise((resolve) => { finish = resolve; });
    const turn = answers(log, toEnd, running.isVoice ? null : async () => { await finished; return submitted(words.at(-1).trim()); });
    let heard = null;
    log.setAttribute('aria-busy', 'true');
    toEnd(true);
    try {
      if (running.isVoice) {
        running.pid = (await runs()).find((entry) => entry.run === run)?.pid;
        showPhase(programs.get(running.pid)?.state ?? 'listening');
      }
      const { exit } = await follow(run, (line) => {
        if (line.out?.event === 'transcript') heard ??= line.out.text;
        turn.take(line);
      }, { signal });
      turn.finish(exit);
      if (!id) await adopt(running.isVoice ? heard : words.at(-1));
      await refresh();
    } catch (error) { fails(error); } finally {
      log.removeAttribute('aria-busy');
      if (!signal.aborted) {
        const hadFocus = [stop, over].includes(document.activeElement);
        showRunning(null);
        if (hadFocus) input.focus();
      }
      finish();
    }
  }
  /** Takes over the conversation that the program has made. */
  async function adopt(question) {
    if (question === null) return;
    const { conversations } = (await run(['conversations', 'list'])).out[0];
    const newest = conversations.filter((entry) => entry.firstQuestion?.trim() === question.trim())
      .sort((one, other) => other.updatedAt.localeCompare(one.updatedAt))[0];
    if (!newest || signal.aborted) return;
    id = newest.id;
    history.replaceState(null, '', `#chat/${id}`);
  }
  function showRunning(next) {
    running = next;
    stop.hidden = !next || next.isVoice;
    over.hidden = !next?.isVoice;
    submitButton.hidden = Boolean(next);
    showPhase(next ? 'listening' : 'idle');
    voice.hidden = Boolean(next) && !next.isVoice;
  }
  /** One button begins a question and ends it. */
  function showPhase(phase) {
    hearing.textContent = running && phase === 'listening' ? t('Listening') : '';
    voice.hidden = phase === 'thinking' || phase === 'speaking';
    voice.textContent = !running ? t('Speak') : phase === 'listening' ? t('Stop listening') : t('Speak again');
  }
  function toEnd(isForced) {
    if (isForced || log.scrollHeight - log.scrollTop - log.clientHeight < 120) log.scrollTop = log.scrollHeight;
  }

  subscribe((event) => {
    if (event.event === 'snapshot' && programs.has(running?.pid)) showPhase(programs.get(running.pid).state);
    if (event.pid === undefined || event.pid !== running?.pid) return;
    if (event.event === 'state' || (event.event === 'started' && event.state)) showPhase(event.state);
    if (event.event === 'words') hearing.textContent = event.text;
  }, signal);
  const touch = () => {
    if (document.hidden) document.addEventListener('visibilitychange', touch, { once: true, signal });
    else if (!running) update().catch(() => {});
  };
  changes({ conversations: [{ touch }] }, signal);
  const loading = (async () => {
    await update();
    toEnd(true);
    const going = (await runs()).find(({ words, isRunning }) => isRunning && ['chat', 'talk'].includes(words[0]) && conversationOf(words) === (id || undefined));
    if (!going) return;
    // The store has the question already.
    const last = log.lastElementChild;
    if (id && last?.dataset.role === 'user' && last.dataset.text === going.words.at(-1).trim()) last.remove();
    watch(going.run, going.words);
  })();
  await loading;
}

/** A conversation in Markdown. */
function asMarkdown({ conversation, messages }) {
  const code = (text) => text.replace(/^/gm, '    ');
  return [`# ${heading(conversation)}`, ...messages.flatMap(({ role, time, text, tool }) => [
    `## ${role === 'user' ? t('You') : tool?.name ?? 'Parley'}, ${time}`, ...(tool ? [code(tool.arguments), code(text)] : [text])])].join('\n\n') + '\n';
}

/** The map of a state, if the program has one. */
async function map(state) {
  const picture = await (await request(`/api/map/${encodeURIComponent(state)}`)).blob();
  return h('img', { class: 'map', src: URL.createObjectURL(picture), alt: t('Map of the United States with {state} marked', { state }) });
}

/** A stored message. */
function shown({ role, text, source, time, state, tool, attachments }) {
  if (role === 'tool') return toolCall(tool ?? { name: t('Tool') }, text, tool?.failed);
  const note = { partial: t('incomplete'), interrupted: t('interrupted') }[state];
  return h('article', { class: role, 'data-role': role, 'data-text': role === 'user' ? text.slice(0, 30000) : null },
    h('p', { class: 'muted' }, [role === 'user' ? t('You') : 'Parley', source, time && date(time), note].filter(Boolean).join(' · ')),
    bounded(text, role === 'user' ? plain : undefined), attachments?.map(({ name }) => h('span', { class: 'chip' }, name)));
}

function toolCall({ name, arguments: given }, output, isError) {
  return h('details', { class: 'tool' }, h('summary', { class: isError ? 'failure' : null }, isError ? t('Tool {name} failed', { name }) : t('Tool {name}', { name })),
    given && bounded(given, (text) => h('pre', { tabindex: 0 }, text)), output && bounded(output, (text) => h('pre', { tabindex: 0 }, text)));
}

/** Shows the events of a run as they come; `again` asks anew. */
function answers(log, moved, again) {
  const calls = new Map();
  const notes = [];
  let [text, place, timer, hasFailed] = ['', null, null, false];
  const append = (element) => { log.append(element); moved(); };
  const draw = () => {
    timer = null;
    const begin = performance.now();
    fill(place.lastElementChild, bounded(text));
    draw.cost = performance.now() - begin;
    moved();
  };
  const begin = () => { place = h('article', { class: 'assistant' }, h('p', { class: 'muted' }, 'Parley'), h('div')); log.append(place); };
  const flush = () => { if (timer) { clearTimeout(timer); draw(); } };
  const fail = (message, canTryAgain = true) => {
    hasFailed = true;
    append(h('p', { class: 'failure', role: 'alert' }, message));
    if (!again || !canTryAgain) return;
    const retry = button(t('Try again'), async () => { if (await again()) retry.remove(); });
    append(retry);
  };
  const take = ({ out, note }) => {
    // What the command says at a terminal: of use only if it fails.
    if (note !== undefined) { notes.push(note); return; }
    if (out.error) return fail(out.error.message);
    switch (out.event) {
    case 'delta':
      if (!place) begin();
      text += out.text;
      // A long text is drawn less often, so that drawing takes at most a fifth of the time.
      timer ??= setTimeout(draw, Math.max(16, 4 * (draw.cost ?? 0)));
      break;
    case 'answer':
      if (!place) begin();
      text = out.text ?? out.answer ?? text;
      timer ??= setTimeout(draw, 0);
      flush();
      place.firstElementChild.textContent = ['Parley', out.model ?? out.source].filter(Boolean).join(' · ');
      [place, text] = [null, ''];
      if (out.state && !out.states) map(out.state.name).then(append, () => {});
      break;
    case 'transcript': append(shown({ role: 'user', text: out.text })); break;
    case 'notice': append(h('p', { class: 'muted' }, out.text)); break;
    case 'toolCall': {
      flush();
      [place, text] = [null, ''];
      const element = toolCall(out);
      calls.set(out.id, [out, element]);
      append(element);
      break;
    }
    case 'toolResult': {
      const [call, element] = calls.get(out.id) ?? [out, null];
      const done = toolCall({ ...call, ...out, arguments: call.arguments }, out.output, out.isError);
      if (element) { done.open = element.open; element.replaceWith(done); } else append(done);
      break;
    }
    }
  };
  return { take, finish(exit) { flush(); if (exit !== 0 && !hasFailed) fail(exit === 130 ? t('Stopped.') : notes.join('\n').slice(-2000) || t('The command has failed.'), exit !== 130); } };
}
