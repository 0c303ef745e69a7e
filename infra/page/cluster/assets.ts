import { type Assets, pageAsset } from '../server/assets.ts';

/** The same page, which asks for a token of Kubernetes. */
export const assetsForTokens =
  (assets: Assets): Assets =>
  async () => {
    const all = new Map(await assets());
    const page = all.get(pageAsset);
    if (page === undefined) throw new Error('the page is missing');
    return all.set(pageAsset, { ...page, body: page.body.replace('<html ', '<html data-opens="token" ') });
  };
