/** Together with the cookie it opens the data. Cookies do not know ports, and this storage does. */
const keyName = 'phaseout-key';

/** Exchanges the token that the address ends with, and takes it out of the address. Whether there is a session to try. */
export async function openSession(): Promise<boolean> {
  const token = /^#token=([\w-]+)$/.exec(location.hash)?.[1];
  if (token === undefined) return localStorage.getItem(keyName) !== null;
  history.replaceState(null, '', location.pathname + location.search);
  return exchange({ headers: { authorization: `Bearer ${token}` } });
}

/** In a cluster a token of Kubernetes opens the page. */
export const opensByToken = (): boolean => document.documentElement.dataset['opens'] === 'token';

export const openByToken = (token: string): Promise<boolean> =>
  exchange({ method: 'POST', body: token.trim() });

async function exchange(request: RequestInit): Promise<boolean> {
  const response = await fetch('/session', request);
  if (!response.ok) return false;
  const found: { key: string } = await response.json();
  localStorage.setItem(keyName, found.key);
  return true;
}

export const sessionHeaders = (): Record<string, string> => ({
  'x-phaseout-key': localStorage.getItem(keyName) ?? '',
});
