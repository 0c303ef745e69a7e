import { readFile } from 'node:fs/promises';
import { rolldown } from 'rolldown';
import { type Asset, pageAsset } from '../server/assets.ts';

/** What a browser loads, made from the sources. */
interface Built {
  assets: ReadonlyMap<string, Asset>;
  /** Absolute paths of the modules in the script. */
  modules: string[];
}

export async function buildAssets(): Promise<Built> {
  const [html, style, fleetStyle, icon, script] = await Promise.all([
    textOf('index.html'),
    textOf('style.css'),
    textOf('fleet/fleet.css'),
    textOf('icon.svg'),
    bundled(),
  ]);
  const assets = new Map<string, Asset>([
    [pageAsset, { type: 'text/html', body: html }],
    ['/style.css', { type: 'text/css', body: style + fleetStyle }],
    ['/icon.svg', { type: 'image/svg+xml', body: icon }],
    ['/app.js', { type: 'text/javascript', body: script.code }],
  ]);
  return { assets, modules: script.modules };
}

const textOf = (name: string): Promise<string> =>
  readFile(new URL(`../client/${name}`, import.meta.url), 'utf8');

/** The client as one script for browsers. */
async function bundled(): Promise<{ code: string; modules: string[] }> {
  const build = await rolldown({
    input: new URL('../client/main.ts', import.meta.url).pathname,
    platform: 'browser',
    tsconfig: false,
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the page's script is in doubt: ${log.message}`);
    },
  });
  try {
    const { output } = await build.generate({ format: 'es', minify: true });
    return { code: output[0].code, modules: output[0].moduleIds };
  } finally {
    await build.close();
  }
}

/** The assets in one file, for where there are no sources. */
export async function packAssets(): Promise<{ text: string } & Pick<Built, 'modules'>> {
  const { assets, modules } = await buildAssets();
  return { text: JSON.stringify(Object.fromEntries(assets)), modules };
}
