// SPDX-License-Identifier: MIT
// Markdown as elements and text nodes; no HTML, and links to http, https and mailto only.
//   markdown(text)        an array of nodes, in time proportional to the text's length
//   bounded(text, render) an element with the first 100 kB, and a button for all of it
import { h } from './dom.js';
import { bytes, t } from './texts.js';

const LIMIT = 100000;
const DEPTH = 8;
// Each span has a maximum length, so that marks that nobody closes cost no quadratic time.
const INLINE = /\\(?<escape>[!-\/:-@[-`{-~])|(?<tick>`{1,3})(?<code>[^`]{1,2000}?)\k<tick>|(?<two>\*\*|__)(?=\S)(?<strong>[^]{0,999}?\S)\k<two>|~~(?<del>[^~]{1,999})~~|\*(?=\S)(?<em>[^*]{0,999}[^*\s])\*|(?<!\w)_(?=\S)(?<em2>[^_]{0,999}[^_\s])_(?!\w)|!?\[(?<label>[^\]\n]{1,500})\]\((?<target>[^()\s]{1,2000})(?:\s+"[^"\n]{0,500}")?\)|<?(?<bare>(?:https?:\/\/|mailto:)[^\s<>)\]]{1,2000}[^\s<>)\].,;:!?'"])>?|\\\n|(?<= {2})\n/g;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ITEM = /^( *)([-*+]|\d{1,9}[.)])(?: +(.*)|$)/;
const RULE = /^ {0,3}([-*_])( *\1){2,} *$/;
const HEADING = /^ {0,3}(#{1,6})(?: +(.*))?$/;
const TABLE = /^ *(?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/;

function inline(text, depth = 0) {
  if (depth > DEPTH) return [text];
  const nodes = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    const part = match.groups;
    const inner = (words) => inline(words, depth + 1);
    const node = part.escape ?? (part.code && h('code', {}, part.code)) ?? (part.strong && h('strong', {}, inner(part.strong)))
      ?? (part.del && h('del', {}, inner(part.del))) ?? ((part.em ?? part.em2) && h('em', {}, inner(part.em ?? part.em2)))
      ?? (part.label && link(part.target, inner(part.label))) ?? (part.bare && link(part.bare, [part.bare])) ?? h('br');
    nodes.push(text.slice(from, match.index), node);
    from = match.index + match[0].length;
  }
  nodes.push(text.slice(from));
  return nodes.flat().filter((node) => node !== '');
}

function link(target, content) {
  const address = URL.canParse(target) ? new URL(target) : null;
  if (!['http:', 'https:', 'mailto:'].includes(address?.protocol)) return content;
  return h('a', { href: address.href, rel: 'noreferrer noopener', target: '_blank' }, content);
}

const cells = (line) => line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => inline(cell.trim().replace(/\\\|/g, '|')));

function table(lines) {
  const row = (line, tag) => h('tr', {}, cells(line).map((cell) => h(tag, {}, cell)));
  return h('div', { class: 'scroll', tabindex: 0 }, h('table', {}, h('thead', {}, row(lines[0], 'th')), h('tbody', {}, lines.slice(2).map((line) => row(line, 'td')))));
}

/** The list at a line, and the line behind it. */
function list(lines, start, depth) {
  const [, indent, mark] = ITEM.exec(lines[start]);
  const isOrdered = /\d/.test(mark);
  const items = [];
  let at = start;
  for (; at < lines.length; at += 1) {
    const [, space, other, text] = ITEM.exec(lines[at]) ?? [];
    const isIndented = lines[at].search(/\S/) > indent.length;
    if (other && space.length <= indent.length) {
      if (isOrdered !== /\d/.test(other) || RULE.test(lines[at])) break;
      items.push([text ?? '']);
    } else if (isIndented) items.at(-1).push(lines[at].slice(indent.length + Math.min(mark.length + 1, lines[at].search(/\S/) - indent.length)));
    else if (!lines[at].trim()) {
      const next = lines[at + 1] ?? '';
      if (!(next.search(/\S/) > indent.length) && !ITEM.test(next)) break;
      items.at(-1).push('');
    } else if (lines[at - 1].trim() && !isBlock(lines[at])) items.at(-1).push(lines[at]);
    else break;
  }
  const elements = items.map((item) => {
    const inner = blocks(item, depth + 1);
    return h('li', {}, inner[0]?.tagName === 'P' ? [...inner[0].childNodes, ...inner.slice(1)] : inner);
  });
  return [h(isOrdered ? 'ol' : 'ul', isOrdered && parseInt(mark) !== 1 ? { start: parseInt(mark) } : {}, elements), at];
}

const isBlock = (line) => FENCE.test(line) || HEADING.test(line) || RULE.test(line) || ITEM.test(line) || /^ {0,3}>/.test(line);

function blocks(lines, depth = 0) {
  if (depth > DEPTH) return [h('p', {}, lines.join('\n'))];
  const nodes = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at];
    const fence = FENCE.exec(line);
    const heading = HEADING.exec(line);
    const start = at;
    if (!line.trim()) at += 1;
    else if (fence) {
      const isEnd = (text) => text.trim().startsWith(fence[1]) && !text.trim().replaceAll(fence[1][0], '');
      for (at += 1; at < lines.length && !isEnd(lines[at]); at += 1);
      nodes.push(h('pre', { tabindex: 0 }, h('code', {}, lines.slice(start + 1, at).join('\n'))));
      at += 1;
    } else if (heading) {
      nodes.push(h(`h${Math.min(6, heading[1].length + 2)}`, {}, inline((heading[2] ?? '').trimEnd().replace(/(^| )#+$/, ''))));
      at += 1;
    } else if (RULE.test(line)) { nodes.push(h('hr')); at += 1; }
    else if (/^ {0,3}>/.test(line)) {
      for (; at < lines.length && /^ {0,3}>/.test(lines[at]); at += 1);
      nodes.push(h('blockquote', {}, blocks(lines.slice(start, at).map((text) => text.replace(/^ {0,3}> ?/, '')), depth + 1)));
    } else if (ITEM.test(line)) {
      const [element, end] = list(lines, at, depth);
      nodes.push(element);
      at = end;
    } else if (line.includes('|') && TABLE.test(lines[at + 1] ?? '')) {
      for (at += 2; at < lines.length && lines[at].includes('|'); at += 1);
      nodes.push(table(lines.slice(start, at)));
    } else {
      for (at += 1; at < lines.length && lines[at].trim() && !isBlock(lines[at]); at += 1);
      nodes.push(h('p', {}, inline(lines.slice(start, at).map((text) => text.trimStart()).join('\n'))));
    }
  }
  return nodes;
}

export const markdown = (text) => blocks(text.replace(/\r\n?/g, '\n').replace(/\t/g, '    ').split('\n'));

export function bounded(text, render = markdown) {
  const element = h('div', { class: 'stack text', dir: 'auto' }, render(text.slice(0, LIMIT)));
  if (text.length > LIMIT) {
    // In parts, of which the browser lays out only those near the window.
    const all = h('button', { type: 'button', onclick: () => element.replaceChildren(...text.match(/[^]{1,20000}/gu).map((part) => h('pre', { class: 'all' }, part))) },
      t('Show all ({size})', { size: bytes(text.length) }));
    element.append(h('p', {}, '…'), all);
  }
  return element;
}
