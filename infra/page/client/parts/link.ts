import { type ComponentChildren, h } from 'preact';
import { pathOf, type Route } from '../route.ts';

/** Goes to a view without loading the page again; every view has an address of its own. */
export const Link = ({ to, children }: { to: Route; children?: ComponentChildren }): ComponentChildren =>
  h('a', { href: pathOf(to), onClick: (event: MouseEvent) => go(event, to) }, children);

function go(event: MouseEvent, to: Route): void {
  // A new tab or window is the browser's to open.
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  history.pushState(null, '', pathOf(to));
  dispatchEvent(new PopStateEvent('popstate'));
}
