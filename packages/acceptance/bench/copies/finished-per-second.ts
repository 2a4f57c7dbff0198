import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import type { TestPartner } from '@rubrica/testkit';
import type { Client } from 'pg';
import { sendLoad } from '../load/order.ts';
import { bodyOf, type CostKind, registrationPath } from '../request-cost.ts';
import { untilFinished } from '../until-finished.ts';

export type Work = Exclude<CostKind, 'status'>;

interface RateContext {
  readonly info: StackInfo;
  readonly client: Client;
  readonly partner: TestPartner;
  readonly folder: string;
}

const deadlineMs = 300_000;
let shots = 0;

/** Requests with all that follows them, until the last webhook has arrived: nothing is left in a queue. */
export async function finishedPerSecond(work: Work, requests: number, context: RateContext): Promise<number> {
  const { info, client, partner, folder } = context;
  const bodyFile = join(folder, `${work}-copies.json`);
  await writeFile(bodyFile, JSON.stringify(bodyOf(work, partner)));
  const token = await partner.rest.token();
  shots += 1;
  const startedAt = performance.now();
  const { accepted, refused, refusals } = await sendLoad({
    url: `${info.baseUrl}${registrationPath}`,
    token,
    bodyFile,
    // Few wait at a service that has little of a core: a long queue would be answered by 503 before its turn.
    connections: 12,
    referencePrefix: `${work.slice(0, 4)}-${shots}`,
    requests,
    durationMs: deadlineMs,
  });
  if (refused > 0) throw new Error(`${work}: ${refused} refused, such as ${refusals[0]}`);
  await untilFinished(client, deadlineMs);
  return accepted / ((performance.now() - startedAt) / 1_000);
}
