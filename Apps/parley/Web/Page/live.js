// SPDX-License-Identifier: MIT
// Live events of all programs that listen or talk. One connection a browser: the tab that holds the lock reads the stream and
// passes it on to the others.
//   subscribe((event, program) => {}, signal)   until the signal aborts; `event` is {from, pid, event, …} of /api/live, `program` the
//              one below or undefined
//   programs   Map of pid -> {from, pid, state, isMuted, level, isHearing, words, answer, latency}
//   recent     the last 50 events that are not levels
//   connection {state: 'waiting' | 'live' | 'gone' | 'closed'}; event {event: 'connection'} when it changes; {event: 'snapshot'}
//              when programs and recent are new
//   command(pid, 'mute' | 'unmute' | 'interrupt' | 'wake')
import { lines, pause, post, request, told } from './api.js';
import { fails } from './dom.js';

export const programs = new Map();
export let recent = [];
export const connection = { state: 'waiting' };
const listeners = new Set();
const channel = new BroadcastChannel('parley-live');
let isLeader = false;
let last = null;

export function subscribe(listener, signal) {
  if (signal?.aborted) return;
  listeners.add(listener);
  signal?.addEventListener('abort', () => listeners.delete(listener));
}
export const command = (pid, what) => post(`/api/live/${pid}`, { do: what });

/** Begins to read, or to hear from the tab that reads. */
export function open() {
  channel.onmessage = ({ data }) => {
    if (data.ask) { if (isLeader) channel.postMessage({ state: connection.state, id: last, snapshot: { programs: [...programs.values()], events: recent } }); }
    else if (!isLeader) take(data);
  };
  channel.postMessage({ ask: true });
  navigator.locks.request('parley-live', lead).catch(fails);
}

async function lead() {
  isLeader = true;
  for (let wait = 500, failures = 0; ; wait = Math.min(10000, wait * 2)) {
    try {
      const response = await request('/api/live', { headers: last === null ? {} : { 'Last-Event-ID': last } });
      [wait, failures] = [250, 0];
      tell({ state: 'live' });
      await read(response);
    } catch (error) {
      // The lock goes on to a tab that may have a valid session. This one may ask for nothing, and shows nothing of that.
      if (error.status === 401) { channel.onmessage = null; connect('closed'); return; }
    }
    failures += 1;
    tell({ state: failures > 4 ? 'gone' : 'waiting' });
    await pause(wait);
  }
}

/** Reads server-sent events: only id, event and data lines matter here. */
async function read(response) {
  let [id, name, data] = [null, 'message', ''];
  for await (const line of lines(response)) {
    const [, key, value] = /^(id|event|data): ?(.*?)\r?$/.exec(line) ?? [];
    if (key === 'id') id = value;
    else if (key === 'event') name = value;
    else if (key === 'data') data += value;
    else if (line.trim() === '' && data) {
      tell(name === 'snapshot' ? { snapshot: JSON.parse(data), id } : { event: told(JSON.parse(data)), id });
      [id, name, data] = [null, 'message', ''];
    }
  }
}

function tell(message) {
  channel.postMessage(message);
  take(message);
}

function take({ state, snapshot: whole, event, id }) {
  if (state) connect(state);
  if (whole) snapshot(whole);
  if (event) apply(event);
  // The next tab that reads goes on behind it.
  last = id ?? last;
}

function connect(state) {
  if (state === connection.state) return;
  connection.state = state;
  emit({ event: 'connection' });
}

function snapshot({ programs: list, events }) {
  programs.clear();
  for (const program of list) programs.set(program.pid, { answer: '', words: '', ...program });
  recent = [];
  // Only what a program's state does not tell by itself.
  for (const event of events) { remember(event); if (['answer', 'latency', 'transcript'].includes(event.event) && programs.has(event.pid)) reduce(event); }
  emit({ event: 'snapshot' });
}

function apply(event) {
  remember(event);
  emit(event, reduce(event));
}

function remember(event) {
  if (['level', 'delta', 'words', 'changed'].includes(event.event)) return;
  recent.push(event);
  if (recent.length > 50) recent.shift();
}

/** Brings the program of an event up to date. */
function reduce(event) {
  if (event.pid === undefined) return undefined;
  if (event.event === 'ended') {
    const program = programs.get(event.pid);
    programs.delete(event.pid);
    return program;
  }
  if (!programs.has(event.pid)) programs.set(event.pid, { from: event.from, pid: event.pid, state: 'idle', words: '', answer: '' });
  const program = programs.get(event.pid);
  switch (event.event) {
  case 'started': [program.state, program.isMuted] = [event.state ?? program.state, event.isMuted]; break;
  case 'state': [program.state, program.isHearing] = [event.state, false]; break;
  case 'level': program.level = event.db; break;
  case 'muted': program.isMuted = event.isMuted; break;
  case 'words': case 'transcript':
    // The last turn stays until the next one begins.
    if (program.isOver) [program.answer, program.isOver] = ['', false];
    [program.words, program.isHearing] = [event.text, event.event === 'words'];
    break;
  case 'delta':
    if (program.turn !== event.turn) [program.answer, program.turn] = ['', event.turn];
    program.answer += event.text;
    break;
  case 'answer': [program.answer, program.isOver] = [event.answer ?? event.text, true]; break;
  case 'latency': program.latency = event; break;
  }
  return program;
}

function emit(event, program) {
  for (const listener of [...listeners]) try { listener(event, program); } catch (error) { fails(error); }
}
