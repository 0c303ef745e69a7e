import { startChild } from './child.ts';
import { firstEvents } from './events.ts';
import { serveNothing } from './nothing.ts';

/**
 * Runs the bundle once, in an empty cluster. Then Node's compile cache has what a first event needs. The cache is good
 * for one Node and one path. So this runs in the image that gets it, and uses nothing but Node. NODE_COMPILE_CACHE
 * names its folder. The build of the image also learns here whether the bundle works.
 */
async function prime(bundle: string): Promise<void> {
  const nothing = await serveNothing();
  try {
    const functions = await startChild(bundle, nothing.environment);
    try {
      for (const event of firstEvents) await functions.send(event);
    } finally {
      const code = await functions.end();
      if (code !== 0) process.exitCode = 1;
    }
  } finally {
    await nothing.close();
  }
}

const [bundle, ...more] = process.argv.slice(2);
if (bundle === undefined || more.length > 0) {
  process.stderr.write('image:prime takes one file: main.cjs of the image\n');
  process.exitCode = 2;
} else {
  await prime(bundle);
}
