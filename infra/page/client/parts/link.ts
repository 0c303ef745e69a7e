import { type ComponentChildren, h } from 'preact';

/** Goes to a view without loading the page again; every view has an address of its own. */
export const Link = ({ to, children }: { to: Route; children?: ComponentChildren }): ComponentChildren =>
  h('a', { href: pathOf(to), onClick: (event: MouseEvent) => go(event, to) }, children);

function go(event: MouseEvent, to: Route): void {
  // A new tab or window is the browser's to open.
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  goTo(to);
}

/** Shows a view; the way back leads to the one before. */
export function goTo(to: Route): void {
  history.pushState(null, '', pathOf(to));
  dispatchEvent(new PopStateEvent('popstate'));
}

/** A view, as its address names it. `search`: what its reader has chosen or asks for, as a query. */
export type Route =
  | { kind: 'overview'; search: string }
  | { kind: 'plan'; search: string }
  | { kind: 'machine'; api: string; namespace: string; name: string };

/** `address`: from its path on. */
export function routeOf(address: string): Route {
  const [path = ''] = address.split('?');
  const search = address.slice(path.length);
  if (path === '/plan') return { kind: 'plan', search };
  const [api, namespace, name] = path.split('/').slice(1).map(decodeURIComponent);
  return api && namespace && name ? { kind: 'machine', api, namespace, name } : { kind: 'overview', search };
}

function pathOf(route: Route): string {
  if (route.kind === 'overview') return `/${route.search}`;
  if (route.kind === 'plan') return `/plan${route.search}`;
  return `/${[route.api, route.namespace, route.name].map(encodeURIComponent).join('/')}`;
}

/** Where its data is. */
export function dataPathOf(route: Route): string {
  if (route.kind === 'overview') return '/api/overview';
  return `/api${route.kind === 'plan' ? '' : '/machines'}${pathOf(route)}`;
}
