import { explain } from '../../../shared/explain/explain.ts';
import { servedMachineApis } from '../../host/served-machine-apis.ts';
import { openAssets } from '../../page/assets/open.ts';
import { openViews } from '../../page/look/open-views.ts';
import type { Sight } from '../../page/look/sight.ts';
import { servePage } from '../../page/server/serve.ts';
import type { Outside } from '../../terminal/outside.ts';
import { gather } from '../explain/gather.ts';
import type { Looker } from '../look/looker.ts';
import type { LookSource } from '../look/options.ts';

interface PageAbout extends Pick<Sight, 'subject' | 'recordsOf' | 'namespace'> {
  /** As the user reaches it, for the commands to copy. */
  source: LookSource;
  /** Any free one where none is given. */
  port?: number | undefined;
}

/** Serves the page of what a looker sees; answers with its address. Throws NoMachineApi, Unavailable, CannotDo. */
export async function openPage(
  looker: Looker,
  { subject, recordsOf, namespace, source, port }: PageAbout,
  { clock }: Pick<Outside, 'clock'>,
  closing: AsyncDisposableStack,
): Promise<string> {
  const { environment, url, notes } = looker;
  const sight: Sight = {
    kubernetes: environment.management,
    machineApis: await servedMachineApis(environment.management, url, environment.dialects),
    clock,
    namespace,
    subject,
    notes,
    recordsOf,
    explain: async (raw, history) => {
      looker.forgetUnread();
      const seen = await gather({ looker, source, raw, ...(history && { history }) });
      return seen && { plan: seen.plan, explanation: explain(seen) };
    },
  };
  const page = await servePage({ port, assets: openAssets(), view: openViews(sight), clock });
  closing.defer(() => page.close());
  return page.address;
}
