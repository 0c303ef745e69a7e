import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';

/** A part that is made again only where what it shows is another, and not with each second that passes. */
export const still =
  <T extends object>(shown: (props: T) => ComponentChildren) =>
  (props: T): ComponentChildren =>
    useMemo(() => shown(props), Object.values(props));
