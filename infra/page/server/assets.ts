/** What a browser loads before it asks for anything. */
export interface Asset {
  type: string;
  body: string;
}

/** By path. It is made when the first browser asks: a start waits for nothing. */
export type Assets = () => Promise<ReadonlyMap<string, Asset>>;

/** Of every view: the client reads the rest of the address. */
export const pageAsset = '/index.html';

/** The asset of a path. Files are at its top, and have a dot. Any other path is that of a view: names may have dots, too. */
export const assetPath = (path: string): string => (/^\/[^/]+\.[^/]+$/.test(path) ? path : pageAsset);
