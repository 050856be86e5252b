// SPDX-License-Identifier: MIT
// Calls of the program. Each throws an Error with a readable message; `status` is the HTTP status, 0 without an answer.
//   await run(['conversations', 'list'], input)   -> {exit, out: [objects], notes: [lines]} of a command that ends soon;
//                                                    throws if it fails, with `exit`, `out` and `notes`
//   await start(['listen'])                       -> id of a command that goes on
//   await follow(id, (line) => {}, {from, signal}) -> {exit}; each line is {n, out} or {n, note}; goes on after a break
//   send(id, 'line'), end(id), runs()             -> input for it, Ctrl-C, the list of them
//   get(path), post(path, body), del(path)        -> JSON, or null for 204
import { t } from './texts.js';

const KEY = 'parley-session';
const channel = new BroadcastChannel('parley-session');
let session = sessionStorage.getItem(KEY);

// A tab that a person opens by hand gets the session of one that is open.
channel.onmessage = ({ data }) => { if (data === 'ask' && session) channel.postMessage({ session }); };

export async function openSession() {
  const token = /^#t=([^&]+)/.exec(location.hash)?.[1];
  if (token) {
    history.replaceState(null, '', location.pathname);
    const before = session;
    session = null;
    try { return keep((await post('/api/session', { token: decodeURIComponent(token) })).session); } catch (error) {
      // A link that was used already: this tab or another one may still have a session.
      if (error.status !== 401) throw error;
      session = before;
    }
  }
  if (!session) {
    const asking = new BroadcastChannel('parley-session');
    keep(await new Promise((resolve) => {
      asking.onmessage = ({ data }) => data.session && resolve(data.session);
      asking.postMessage('ask');
      setTimeout(resolve, 300, null);
    }));
    asking.close();
  }
}

function keep(value) {
  session = value;
  if (value) sessionStorage.setItem(KEY, value);
}

/** fetch with the session; throws for a status that is no success. */
export async function request(path, options = {}) {
  const headers = { ...options.headers, ...(session && { Authorization: `Bearer ${session}` }) };
  let response;
  try {
    response = await fetch(path, { cache: 'no-store', ...options, headers });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw problem(t('The program does not answer.'), 0);
  }
  if (response.ok) return response;
  const body = await response.json().catch(() => ({}));
  // No other tab gets a session that has ended.
  if (response.status === 401 && headers.Authorization === `Bearer ${session}`) {
    session = null;
    sessionStorage.removeItem(KEY);
  }
  if (response.status === 401 || path === '/api/session') throw problem(t('Open this page with: parley dashboard'), 401);
  throw problem(body.detail || body.title || t('The program answers with error {status}.', { status: response.status }), response.status);
}

const problem = (message, status, more) => Object.assign(new Error(message), { status, ...more });

async function json(method, path, body) {
  const response = await request(path, { method, ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }) });
  return response.status === 204 ? null : response.json();
}
export const get = (path) => json('GET', path);
export const post = (path, body = {}) => json('POST', path, body);
export const del = (path) => json('DELETE', path);

export async function run(words, input) {
  const result = await post('/api/run', { words, ...(input !== undefined && { input }) });
  result.out.forEach(told);
  if (result.exit === 0) return result;
  throw problem(result.out.find((object) => object?.error)?.error.message ?? (result.notes.join('\n') || t('The command has failed.')), 200, result);
}

// An error of a command in the person's language, if that is not English.
export function told(object) {
  const error = object?.error;
  if (error?.localized) error.message = error.localized;
  return object;
}

export const start = async (words) => (await post('/api/runs', { words })).run;
export const send = (id, line) => post(`/api/runs/${id}/input`, { line });
export const end = (id) => del(`/api/runs/${id}`);
// --json is the server's word.
export const runs = async () => (await get('/api/runs')).runs.map((run) => ({ ...run, words: run.words.at(-1) === '--json' ? run.words.slice(0, -1) : run.words }));

export async function follow(id, onLine, { from = 0, signal } = {}) {
  let next = from;
  for (let wait = 250; ; wait = Math.min(8000, wait * 2)) {
    try {
      const response = await request(`/api/runs/${id}?from=${next}`, { signal });
      for await (const text of lines(response)) {
        if (!text) continue;
        const line = JSON.parse(text);
        next = line.n + 1;
        wait = 250;
        if ('exit' in line) return line;
        told(line.out);
        onLine(line);
      }
    } catch (error) {
      if (signal?.aborted || (error.status && error.status !== 429) || wait >= 8000) throw error;
    }
    await pause(wait, signal);
  }
}

/** The lines of a streamed body. */
export async function* lines(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split('\n');
      rest = parts.pop();
      yield* parts;
    }
  } finally { reader.cancel().catch(() => {}); }
}

/** Resolves after some milliseconds, or at once when the signal aborts. */
export const pause = (wait, signal) => new Promise((resolve) => {
  const timer = setTimeout(resolve, wait);
  signal?.addEventListener('abort', () => { clearTimeout(timer); resolve(); }, { once: true });
});
