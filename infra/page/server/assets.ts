/** What a browser loads before it asks for anything. */
export interface Asset {
  type: string;
  body: string;
}

/** By path. It is made when the first browser asks: a start waits for nothing. */
export type Assets = () => Promise<ReadonlyMap<string, Asset>>;

/** Of every view: the client reads the rest of the address. */
export const pageAsset = '/index.html';

/** The asset of a path; a path without a dot is that of a view. */
export const assetPath = (path: string): string => (path.includes('.') ? path : pageAsset);
