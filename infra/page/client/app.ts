import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../views.ts';
import { useNow, usePath, useSearch, useVisible } from './browser.ts';
import { now as clockNow } from './clock.ts';
import { type ConnectionState, readLive } from './live.ts';
import { Machine } from './machine.ts';
import { Overview } from './overview.ts';
import { Now } from './parts/ago.ts';
import { dataPathOf, type Route, routeOf } from './parts/link.ts';
import { opensByToken } from './session.ts';
import { LiveNote, NoSession, TokenForm } from './session-note.ts';

export const App = ({ isOpen }: { isOpen: boolean }): ComponentChildren => {
  const path = usePath();
  const route = routeOf(path);
  const { view, standing, ahead } = useView(route, isOpen);
  const now = useNow() + ahead;
  const main = useRef<HTMLElement>(null);
  const first = useRef(path);
  useEffect(() => {
    document.title = route.kind === 'overview' ? 'phaseout' : `${route.namespace}/${route.name} · phaseout`;
    // The link that led here is gone: the keyboard goes on from the top of the view.
    if (path !== first.current) main.current?.focus();
    first.current = '';
  }, [path]);
  const search = useSearch();
  const lastSearch = useRef(search);
  useEffect(() => {
    // What was chosen may have hidden what had the focus.
    const isLost = search !== lastSearch.current && document.activeElement === document.body;
    if (isLost) main.current?.focus({ preventScroll: true });
    lastSearch.current = search;
  }, [search]);
  return h(
    'div',
    { class: 'page' },
    h(
      'header',
      null,
      h('p', { class: 'brand' }, h('img', { src: '/icon.svg', alt: '', width: 24, height: 24 }), 'phaseout'),
      view === undefined ? null : h('p', { class: 'subject' }, view.subject),
      h(LiveNote, { standing }),
    ),
    h('main', { ref: main, tabIndex: -1 }, h(Now.Provider, { value: now }, shown(view, standing, now))),
  );
};

function shown(view: View | undefined, standing: ConnectionState, now: number): ComponentChildren {
  if (standing === 'closed') return h(opensByToken() ? TokenForm : NoSession, null);
  if (view === undefined)
    return [h('h1', { key: 'name' }, 'phaseout'), h('p', { key: 'looks', class: 'empty' }, 'Looking …')];
  return view.kind === 'overview' ? h(Overview, { view }) : h(Machine, { view, now });
}

interface Shown {
  path: string;
  view: View | undefined;
  /** How far the server's clock is ahead of this one. */
  ahead: number;
}

function useView(route: Route, isOpen: boolean): Omit<Shown, 'path'> & { standing: ConnectionState } {
  const path = dataPathOf(route);
  const [standing, setStanding] = useState<ConnectionState>('connecting');
  const [shownView, setShown] = useState<Shown>({ path, view: undefined, ahead: 0 });
  const isVisible = useVisible();
  useEffect(() => {
    if (!isOpen) return setStanding('closed');
    if (!isVisible) return setStanding('connecting');
    return readLive<View>(path, {
      found: (view) => setShown({ path, view, ahead: view.now - clockNow() }),
      stands: setStanding,
    });
  }, [path, isOpen, isVisible]);
  const isOther = shownView.path !== path;
  return { view: isOther ? undefined : shownView.view, ahead: shownView.ahead, standing };
}
