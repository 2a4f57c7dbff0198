import { metric, type ServiceParts } from '@rubrica/process';
import type { EvidenceStore } from './evidence-store.ts';

/** Says of each store whether it answered when it was last asked, which it is at each scrape; nobody waits for that. */
export function watchStores(
  stores: readonly Pick<EvidenceStore, 'name' | 'probe'>[],
  { metrics, logger }: Pick<ServiceParts, 'metrics' | 'logger'>,
): void {
  const watched = stores.map((store) => ({ store, answers: undefined as boolean | undefined, asked: false }));
  async function ask(one: (typeof watched)[number]): Promise<void> {
    if (one.asked) return;
    one.asked = true;
    const failure = await one.store.probe().then(
      () => undefined,
      (error: unknown) => error ?? 'unknown',
    );
    one.asked = false;
    const answers = failure === undefined;
    const component = `evidence store ${one.store.name}`;
    if (!answers && one.answers !== false)
      logger.warn({ err: failure, component }, 'evidence store unavailable');
    if (answers && one.answers === false) logger.info({ component }, 'evidence store recovered');
    one.answers = answers;
  }
  metrics.gauge({
    ...metric('rubrica_evidence_store_up'),
    collect(gauge) {
      for (const one of watched) {
        if (one.answers !== undefined) gauge.set({ store: one.store.name }, one.answers ? 1 : 0);
        void ask(one);
      }
    },
  });
  for (const one of watched) void ask(one);
}
