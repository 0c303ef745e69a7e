import { useEffect, useState } from 'preact/hooks';
import { now as clockNow, every } from './clock.ts';

/** The address from its path on, also after a link or a step back. It is one value: half of it leads elsewhere. */
export const useAddress = (): string =>
  useBrowser('popstate', () => `${location.pathname}${location.search}`);

/** Whether somebody can see the page: a tab in the background asks for nothing. */
export const useVisible = (): boolean =>
  useBrowser('visibilitychange', () => document.visibilityState === 'visible');

/** What the browser says now, and after each such event. */
function useBrowser<T>(event: 'popstate' | 'visibilitychange', read: () => T): T {
  const [value, setValue] = useState(read());
  useEffect(() => {
    const target = event === 'popstate' ? window : document;
    const changed = (): void => setValue(read());
    target.addEventListener(event, changed);
    return () => target.removeEventListener(event, changed);
  }, []);
  return value;
}

/** Durations grow even if nothing happens. */
export function useNow(): number {
  const [now, setNow] = useState(clockNow());
  useEffect(() => every(1_000, () => setNow(clockNow())), []);
  return now;
}
