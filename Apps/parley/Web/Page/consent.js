// SPDX-License-Identifier: MIT
// Tool calls that wait for consent: everything is shown, and a whole word is typed, as parley approve does at a terminal.
import { get, post } from './api.js';
import { announce, fails, h, newID } from './dom.js';
import { t } from './texts.js';

let open = null;

/** Shows the first call that waits, and closes one that waits no more. */
export async function check() {
  if (document.hidden) return;
  const { consents } = await get('/api/consents');
  if (open && !consents.some(({ id }) => id === open.id)) open.close();
  if (!open && consents.length) show(consents[0]);
}
document.addEventListener('visibilitychange', () => check().catch(() => {}));

function show(consent) {
  const [id, message] = [newID('consent'), newID('consent')];
  const note = h('p', { id: message, role: 'alert', class: 'warning' });
  const details = h('pre', { class: 'details', tabindex: 0, onscroll: look }, consent.details.join('\n'));
  const input = h('input', { id: newID('consent'), autocomplete: 'off', autocapitalize: 'off', spellcheck: 'false', 'aria-describedby': message });
  const label = h('label', { for: input.id }, t('Allow it? Type yes, no or always, then press Enter:'));
  let [isShown, isConfirming] = [false, false];
  const before = document.activeElement;
  const box = h('dialog', { 'aria-labelledby': id, onkeydown: (event) => { if (event.key === 'Escape') event.preventDefault(); },
    onclose: () => { if (box.isConnected) box.showModal(); } }, h('h2', { id, tabindex: -1, dir: 'auto', autofocus: true }, consent.title), details,
    h('form', { class: 'field', onsubmit: (event) => { event.preventDefault(); take(input.value.trim().toLowerCase()).catch(fails); } },
      label, h('div', { class: 'row' }, input, h('button', { class: 'primary' }, t('Answer'))), note));
  open = { id: consent.id, close() { open = null; box.close(); box.remove(); before?.focus?.(); check().catch(() => {}); } };

  function look() { isShown ||= details.scrollTop + details.clientHeight >= details.scrollHeight - 2; }
  async function take(word) {
    input.value = '';
    look();
    note.textContent = '';
    if (['yes', 'always'].includes(word) && !isShown) note.textContent = t('Not all of it was shown yet. Scroll to its end.');
    else if (word === 'always' && !isConfirming) {
      isConfirming = true;
      note.textContent = t('Allow it from now on without asking? Type always again, yes for this once, or no.');
      return;
    } else if (['yes', 'no', 'always'].includes(word)) {
      const { isTaken } = await post(`/api/consents/${encodeURIComponent(consent.id)}`, { number: consent.number, answer: word });
      if (!isTaken) announce(t('It no longer waits; nothing was answered.'));
      open?.close();
    } else if (word) note.textContent = t('“{word}” is not an answer.', { word: word.slice(0, 40) });
    isConfirming = false;
  }
  document.body.append(box);
  box.showModal();
  look();
}
