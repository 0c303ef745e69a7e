import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

/** A part that is made again only where its data says something else: not with each second, or each view. */
export const still =
  <T extends object>(shown: (props: T) => ComponentChildren) =>
  (props: T): ComponentChildren =>
    useMemo(() => shown(props), [JSON.stringify(props)]);
