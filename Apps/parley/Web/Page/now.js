// SPDX-License-Identifier: MIT
// What the programs that listen do: phase, level, words, answer, latency.
import { end, runs, start } from './api.js';
import { announce, button, fill, h, svg } from './dom.js';
import { command, programs, subscribe } from './live.js';
import { bounded } from './markdown.js';
import { refill } from './parts.js';
import { milliseconds, t } from './texts.js';

export const title = t('Now');

const BARS = 64;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
// The part of the scale from -60 dBFS to 0.
const part = (level) => Math.min(1, Math.max(0, (level + 60) / 60));

const phases = () => ({ idle: t('Waiting for the wake word'), listening: t('Listening'), hearing: t('Hearing you'), thinking: t('Thinking'), speaking: t('Speaking') });
const stages = () => ({ listening: t('Microphone is open'), speechStarted: t('You begin'), speechEnded: t('You end'), endpointDetected: t('End noticed'),
  transcriptReady: t('Words are there'), answerReady: t('Answer begins'), firstAudioReady: t('First sound is made'), firstSampleAudible: t('First sound is heard'),
  answerSpoken: t('Answer is spoken'), sent: t('Question is sent'), firstEvent: t('Server answers'), firstAudio: t('First sound is there'), audible: t('First sound is heard') });

export async function show(container, _, signal) {
  const cards = new Map();
  const list = h('div', { class: 'stack' });
  const listen = h('div', { class: 'row' });

  const showRun = async () => {
    const own = (await runs()).find(({ words, isRunning }) => words[0] === 'listen' && isRunning)?.run;
    refill(listen, container.previousElementSibling, own ? button(t('Stop listening'), () => end(own))
      : ![...programs.values()].some(({ from }) => from === 'listen') && button(t('Start listening'), () => start(['listen']).then(showRun), 'primary'));
  };
  const showAll = () => {
    const before = [...cards.keys()].join();
    for (const pid of [...cards.keys()]) if (!programs.has(pid)) { cards.get(pid).element.remove(); cards.delete(pid); }
    for (const program of programs.values()) if (!cards.has(program.pid)) {
      const card = makeCard(program);
      cards.set(program.pid, card);
      list.append(card.element);
      card.update();
    }
    none.hidden = programs.size > 0;
    if (before !== [...cards.keys()].join()) showRun().catch(() => {});
  };
  const none = h('p', {}, t('No program listens. Start one here, or type in a terminal: parley listen'));
  fill(container, none, list, listen);
  showAll();
  subscribe((event) => {
    if (event.event === 'snapshot') { fill(list); cards.clear(); }
    showAll();
    cards.get(event.pid)?.update(event);
    if (event.event === 'snapshot' || event.event === 'changed' && event.what === 'listening') showRun().catch(() => {});
  }, signal);
  await showRun();
}

function makeCard(first) {
  const { pid } = first;
  const phase = h('p', { class: 'phase', role: 'status' });
  const wave = svg('path', { fill: 'none', stroke: 'currentColor', 'stroke-width': 2 });
  const level = h('span', { class: 'bar', role: 'meter', 'aria-label': t('Loudness'), 'aria-valuemin': -60, 'aria-valuemax': 0 });
  const words = h('p', { dir: 'auto' });
  const answer = h('div');
  const latency = h('div', { class: 'stack' });
  const mute = button('', () => command(pid, programs.get(pid)?.isMuted ? 'unmute' : 'mute'));
  const interrupt = button(t('Stop speaking'), () => command(pid, 'interrupt'), 'primary');
  const wake = button(t('Listen now'), () => command(pid, 'wake'));
  const levels = new Array(BARS).fill(0);
  let [drawn, answerTimer] = [0, null];

  const update = (event) => {
    const program = programs.get(pid);
    if (!program) return;
    if (event?.event === 'level') return drawLevel(program.level);
    const hasControls = program.from === 'listen';
    const state = program.state === 'listening' && program.isHearing ? 'hearing' : program.state;
    const name = state === 'idle' && !hasControls ? '' : phases()[state] ?? state;
    if (phase.textContent !== name) phase.textContent = name;
    phase.dataset.phase = state;
    interrupt.hidden = state !== 'speaking' || !hasControls;
    wake.hidden = state !== 'idle' || !hasControls;
    mute.hidden = !hasControls;
    mute.textContent = program.isMuted ? t('Unmute') : t('Mute');
    words.textContent = program.words;
    // The screen takes at most ten versions of an answer a second.
    answerTimer ??= setTimeout(() => { answerTimer = null; fill(answer, program.answer ? bounded(program.answer) : null); }, event?.event === 'delta' ? 30 : 0);
    if (program.latency && latency.turn !== program.latency) showLatency(program.latency);
    if (event?.event === 'muted') announce(event.isMuted ? t('Muted') : t('The microphone is on'));
  };
  const drawLevel = (value) => {
    levels.push(part(value));
    levels.shift();
    const now = performance.now();
    if (document.hidden || now - drawn < (calm.matches ? 1000 : 95)) return;
    drawn = now;
    level.style.setProperty('--part', part(value));
    level.setAttribute('aria-valuenow', Math.round(value));
    if (!calm.matches) wave.setAttribute('d', levels.map((height, index) => `M${index * 4 + 2} ${20 - height * 18 - .5}v${height * 36 + 1}`).join(''));
  };
  const showLatency = (report) => {
    latency.turn = report;
    const keys = ['sent', 'firstEvent', 'firstAudio', 'audible'].filter((key) => report[key] !== undefined);
    const rows = report.stages ?? keys.map((key, index) => ({ stage: key, sincePrevious: report[key] - (report[keys[index - 1]] ?? 0), sinceStart: report[key] }));
    const most = Math.max(1, ...rows.map((row) => row.sincePrevious));
    const names = stages();
    fill(latency, h('h3', {}, t('Last turn')),
      report.endOfSpeechToFirstSample !== undefined && h('p', {}, t('From your last word to the first sound: {time}', { time: milliseconds(report.endOfSpeechToFirstSample) })),
      h('table', {}, h('caption', { class: 'hide' }, t('Latency by stage')),
        h('tbody', {}, rows.map((row) => h('tr', {}, h('th', { scope: 'row' }, names[row.stage] ?? row.stage),
          h('td', {}, milliseconds(row.sincePrevious)), h('td', { class: 'wide' }, h('span', { class: 'bar', style: { '--part': row.sincePrevious / most } })))))));
  };
  const element = h('section', { class: 'card', 'aria-label': t('{program}, process {pid}', { program: first.from, pid }) },
    h('h2', {}, first.from), phase,
    svg('svg', { class: 'wave', viewBox: `0 0 ${BARS * 4} 40`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }, wave), level,
    h('h3', {}, t('You said')), words, h('h3', {}, t('Answer')), answer,
    h('div', { class: 'row' }, interrupt, wake, mute), latency);
  return { element, update };
}
