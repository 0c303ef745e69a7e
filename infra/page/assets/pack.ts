import { type Built, buildAssets } from './build.ts';

/** The assets in one file, for where there are no sources. */
export async function packAssets(): Promise<{ text: string } & Pick<Built, 'modules'>> {
  const { assets, modules } = await buildAssets();
  return { text: JSON.stringify(Object.fromEntries(assets)), modules };
}
