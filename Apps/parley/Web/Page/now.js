// SPDX-License-Identifier: MIT
import { h } from './dom.js';
import { t } from './texts.js';
export const title = t('Now');
export function show(container) { container.append(h('p', {}, t('Nothing listens.'))); }
