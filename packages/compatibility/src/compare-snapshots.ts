import type { Finding } from './parts/finding.ts';
import { compareMessages, compareWebhooks } from './parts/messages.ts';
import { compareOpenApi } from './parts/openapi.ts';
import { compareMetrics, compareSettings } from './parts/operating.ts';
import { compareCalls, compareOperators } from './parts/procedures.ts';
import { type Part, parts, type Snapshot } from './snapshot/snapshot.ts';

type Compare<Of extends Part> = (before: Snapshot[Of], after: Snapshot[Of]) => Finding[];

const comparisons: { readonly [Of in Part]: Compare<Of> } = {
  openapi: compareOpenApi,
  calls: compareCalls,
  operators: compareOperators,
  messages: compareMessages,
  webhooks: compareWebhooks,
  settings: compareSettings,
  metrics: compareMetrics,
};

/** Lists every breach of what was agreed before, each as a line that starts with its part. */
export function compareSnapshots(before: Snapshot, after: Snapshot): Finding[] {
  return parts.flatMap((part) => comparePart(part, before, after));
}

function comparePart<Of extends Part>(part: Of, before: Snapshot, after: Snapshot): Finding[] {
  const compare: Compare<Of> = comparisons[part];
  return compare(before[part], after[part]).map((finding) => `${part} ${finding}`);
}
