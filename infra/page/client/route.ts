/** A view, as its address names it. */
export type Route = { kind: 'overview' } | { kind: 'machine'; api: string; namespace: string; name: string };

export function routeOf(path: string): Route {
  const [api, namespace, name] = path.split('/').slice(1).map(decodeURIComponent);
  return api && namespace && name ? { kind: 'machine', api, namespace, name } : { kind: 'overview' };
}

export const pathOf = (route: Route): string =>
  route.kind === 'overview'
    ? '/'
    : `/${[route.api, route.namespace, route.name].map(encodeURIComponent).join('/')}`;

/** Where its data is. */
export const dataPathOf = (route: Route): string =>
  route.kind === 'overview' ? '/api/overview' : `/api/machines${pathOf(route)}`;
