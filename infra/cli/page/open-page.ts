import { openAssets } from '../../page/assets/open.ts';
import { openAllViews } from '../../page/look/open-plans.ts';
import { type PageOptions, servePage } from '../../page/server/serve.ts';
import type { Outside } from '../../terminal/outside.ts';
import type { Looker } from '../look/looker.ts';
import { type SightAbout, sightOf } from './sight-of.ts';

/** Serves the page of what a looker sees; answers with its address. Throws NoMachineApi, Unavailable, CannotDo. */
export async function openPage(
  looker: Looker,
  { port, ...about }: SightAbout & Pick<PageOptions, 'port'>,
  { clock }: Pick<Outside, 'clock'>,
  closing: AsyncDisposableStack,
): Promise<string> {
  const sight = await sightOf(looker, about, clock);
  const page = await servePage({ port, assets: openAssets(), view: openAllViews(sight), clock });
  closing.defer(() => page.close());
  return page.address;
}
