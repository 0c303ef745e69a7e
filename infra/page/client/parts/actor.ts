import { type ComponentChildren, Fragment, h } from 'preact';
import type { Actor } from '../../../../shared/explain/deletion-status.ts';
import { Address } from './address.ts';

/** Who has to act, and who can help. */
export const ActorName = ({ actor: { name, help = [] } }: { actor: Actor }): ComponentChildren =>
  h(
    Fragment,
    null,
    name,
    help.map((text) => h('span', { key: text }, ' · ', h(Address, { text }))),
  );
