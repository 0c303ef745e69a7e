import { type ComponentChildren, h } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { View } from '../views.ts';
import { useAddress, useNow, useVisible } from './browser.ts';
import { now as clockNow } from './clock.ts';
import { readLive } from './live.ts';
import { Machine } from './machine.ts';
import { Overview } from './overview.ts';
import { Now } from './parts/ago.ts';
import { dataPathOf, Link, type Route, routeOf } from './parts/link.ts';
import { Plan, planTitle } from './plan.ts';
import { opensByToken } from './session.ts';
import { LiveNote, NoSession, type Shows, TokenForm } from './session-note.ts';

export const App = ({ isOpen }: { isOpen: boolean }): ComponentChildren => {
  const address = useAddress();
  const [path = ''] = address.split('?');
  const route = routeOf(address);
  const { view, standing, ahead, again } = useView(route, isOpen);
  const now = useNow() + ahead;
  const main = useRef<HTMLElement>(null);
  const first = useRef(path);
  useEffect(() => {
    document.title = titleOf(route);
    // The link that led here is gone: the keyboard goes on from the top of the view.
    if (path !== first.current) main.current?.focus();
    first.current = '';
  }, [path]);
  const search = address.slice(path.length);
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
      route.kind === 'overview' && view !== undefined
        ? h(Link, { to: { kind: 'plan', search: '' } }, planTitle)
        : null,
      h(LiveNote, { standing }),
    ),
    h(
      'main',
      { ref: main, tabIndex: -1 },
      h(Now.Provider, { value: now }, shown(route, { view, standing, again }, now)),
    ),
  );
};

function titleOf(route: Route): string {
  if (route.kind === 'overview') return 'phaseout';
  return `${route.kind === 'plan' ? planTitle : `${route.namespace}/${route.name}`} · phaseout`;
}

function shown(
  route: Route,
  { view, standing, again }: Pick<Looking, 'view' | 'standing' | 'again'>,
  now: number,
): ComponentChildren {
  if (standing === 'closed') return h(opensByToken() ? TokenForm : NoSession, null);
  if (route.kind === 'plan')
    return h(Plan, { view: view?.kind === 'plan' ? view : undefined, search: route.search, again, now });
  if (view === undefined)
    return [h('h1', { key: 'name' }, 'phaseout'), h('p', { key: 'looks', class: 'empty' }, 'Looking …')];
  if (view.kind === 'overview')
    return h(Overview, { view, search: route.kind === 'overview' ? route.search : '' });
  return view.kind === 'machine' ? h(Machine, { view, now }) : null;
}

interface Shown {
  path: string;
  view: View | undefined;
  /** How far the server's clock is ahead of this one. */
  ahead: number;
}

interface Looking extends Omit<Shown, 'path'> {
  standing: Shows;
  /** Asks once more. */
  again: () => void;
}

function useView(route: Route, isOpen: boolean): Looking {
  const path = dataPathOf(route);
  const isPlan = route.kind === 'plan';
  const [standing, setStanding] = useState<Shows>('connecting');
  const [shownView, setShown] = useState<Shown>({ path, view: undefined, ahead: 0 });
  const [times, setTimes] = useState(0);
  const lastPlan = useRef<Shown>(undefined);
  // A plan costs much. Who comes back to its tab, or from one of its Machines, finds it as it was.
  const isVisible = useVisible() || isPlan;
  useEffect(() => {
    if (!isOpen) return setStanding('closed');
    if (!isVisible) return setStanding('connecting');
    if (isPlan && lastPlan.current?.path === path && isRecent(lastPlan.current)) {
      setShown(lastPlan.current);
      return setStanding('made');
    }
    const stop = readLive<View>(path, {
      found: (view) => {
        const found = { path, view, ahead: view.now - clockNow() };
        setShown(found);
        if (!isPlan) return;
        lastPlan.current = found;
        stop();
        setStanding('made');
      },
      stands: (stands) => setStanding(isPlan && stands === 'live' ? 'making' : stands),
    });
    return stop;
  }, [path, isOpen, isVisible, times]);
  const isOther = shownView.path !== path;
  return {
    view: isOther ? undefined : shownView.view,
    ahead: shownView.ahead,
    standing,
    again: () => {
      lastPlan.current = undefined;
      setTimes(times + 1);
    },
  };
}

const recentMilliseconds = 300_000;

const isRecent = ({ view, ahead }: Shown): boolean =>
  view !== undefined && clockNow() + ahead - view.now < recentMilliseconds;
