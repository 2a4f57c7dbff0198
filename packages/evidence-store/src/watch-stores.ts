import { metric } from '@rubrica/process/metrics';
import type { ServiceParts } from '@rubrica/process/runner';
import type { EvidenceStore } from './evidence-store.ts';

/** Reports for each store if its last probe was answered. Each scrape starts a probe and does not wait for it. */
export function watchStores(
  stores: readonly Pick<EvidenceStore, 'name' | 'probe'>[],
  { metrics, logger }: Pick<ServiceParts, 'metrics' | 'logger'>,
): void {
  const watched = stores.map((store) => ({
    store,
    answers: undefined as boolean | undefined,
    isProbing: false,
  }));
  async function probe(entry: (typeof watched)[number]): Promise<void> {
    if (entry.isProbing) return;
    entry.isProbing = true;
    const failure = await entry.store.probe().then(
      () => undefined,
      (error: unknown) => error ?? 'unknown',
    );
    entry.isProbing = false;
    const answers = failure === undefined;
    const component = `evidence store ${entry.store.name}`;
    if (!answers && entry.answers !== false)
      logger.warn({ err: failure, component }, 'evidence store unavailable');
    if (answers && entry.answers === false) logger.info({ component }, 'evidence store recovered');
    entry.answers = answers;
  }
  metrics.gauge({
    ...metric('rubrica_evidence_store_up'),
    collect(gauge) {
      for (const entry of watched) {
        if (entry.answers !== undefined) gauge.set({ store: entry.store.name }, entry.answers ? 1 : 0);
        void probe(entry);
      }
    },
  });
  for (const entry of watched) void probe(entry);
}
