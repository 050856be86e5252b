// SPDX-License-Identifier: MIT
// Elements, dialogs and announcements.
//   h('button', {class: 'primary', onclick: f, disabled: false}, 'Text', node, [nodes])   HTML
//   svg('path', {d: '…'})                                                               SVG
//   fill(element, ...children)      replaces its children
//   announce(text)                  shows and says it politely; announce(text, true) at once (errors)
//   await ask(title, content, [[label, value, class], …])   a modal dialog; null for Escape
//   await sure(title, text, label, item)  true if confirmed; item is what it concerns, in a person's words
//   button(label, action, class)    reports the action's error, is disabled while it goes on
//   field(label, input, hint)       a labelled input
//   save(name, text, type)          a download
import { t } from './texts.js';

const PROPERTIES = new Set(['value', 'checked', 'textContent', 'indeterminate']);
let ids = 0;

function make(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value;
    // CSP forbids the attribute, not the properties.
    else if (name === 'style') for (const [key, text] of Object.entries(value)) element.style.setProperty(key, text);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...nodes(children));
  return element;
}

const nodes = (children) => children.flat(9).filter((child) => child !== null && child !== undefined && child !== false);

export const h = (tag, attributes, ...children) => make(document.createElement(tag), attributes, children);
export const svg = (tag, attributes, ...children) => make(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
export const fill = (element, ...children) => (element.replaceChildren(...nodes(children)), element);
export const newID = (prefix = 'id') => `${prefix}-${++ids}`;

export function announce(text, isUrgent = false) {
  const region = document.getElementById(isUrgent ? 'alert' : 'status');
  clearTimeout(region.timer);
  fill(region, h('p', {}, text), isUrgent && h('button', { onclick: () => fill(region) }, t('Close')));
  if (!isUrgent) region.timer = setTimeout(() => fill(region), 8000);
}

export const fails = (error) => { if (error?.name !== 'AbortError') announce(error?.message || String(error), true); };

export function button(label, action, kind) {
  const element = h('button', { type: 'button', class: kind, onclick: async (event) => {
    if (element.getAttribute('aria-disabled') === 'true') return;
    // Not `disabled`, which would lose the focus.
    element.setAttribute('aria-disabled', 'true');
    try { await action(event); } catch (error) { fails(error); } finally { element.removeAttribute('aria-disabled'); }
  } }, label);
  return element;
}

export function field(label, input, hint) {
  input.id ||= newID('field');
  const hintID = hint && `${input.id}-hint`;
  if (hint) input.setAttribute('aria-describedby', hintID);
  return h('div', { class: 'field' }, h('label', { for: input.id }, label), input, hint && h('p', { class: 'muted', id: hintID }, hint));
}

export function ask(title, content, buttons) {
  return new Promise((resolve) => {
    const id = newID('dialog');
    const from = document.activeElement;
    const place = from.closest('.card')?.querySelector('h2');
    let answer = null;
    const close = (value) => { answer = value; box.close(); };
    const box = h('dialog', { 'aria-labelledby': id, onclose: () => {
      box.remove();
      // Its card was drawn anew meanwhile.
      if (!from.isConnected) place?.focus({ preventScroll: true });
      resolve(answer);
    },
      onkeydown: (event) => { if (event.key === 'Enter' && event.target.tagName === 'INPUT') { event.preventDefault(); box.querySelector('.row.end').lastElementChild.click(); } } },
      h('h2', { id }, title), content,
      h('div', { class: 'row end' }, buttons.map(([label, value, kind]) =>
        h('button', { type: 'button', class: kind, onclick: () => close(typeof value === 'function' ? value() : value) }, label))));
    document.body.append(box);
    box.showModal();
  });
}

export const sure = async (title, text, label, item) =>
  await ask(title, [item && h('p', { class: 'plain', dir: 'auto' }, item.slice(0, 200)), h('p', {}, text)],
    [[t('Cancel'), false], [label, true, 'danger']]) === true;

export function save(name, text, type = 'text/plain') {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
