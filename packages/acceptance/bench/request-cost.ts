import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StackInfo } from '@rubrica/stack';
import { makeEvidence, makeLinkedPartnerRequest, type TestPartner } from '@rubrica/testkit';
import { awaitIdle, type Cpu, readCpu, sumCpu, usedBetween } from './cpu.ts';
import { sendLoad } from './load/order.ts';
import { referencePlaceholder } from './load/prepared-request.ts';
import { percentile } from './statistics.ts';

/** Kinds of requests by their consequence: none, a reviewer's queue, an error webhook, a certificate. */
export const costKinds = ['status', 'registration', 'error', 'certificate'] as const;
export type CostKind = (typeof costKinds)[number];

export interface RequestCost {
  readonly kind: CostKind;
  readonly perSecond: number;
  readonly p95Ms: number;
  /** CPU milliseconds of one request, by process. */
  readonly each: Cpu;
  readonly totalMs: number;
}

interface CostContext {
  readonly info: StackInfo;
  readonly home: string;
  /** Folder for files of the bench. */
  readonly folder: string;
  readonly partner: TestPartner;
  readonly durationMs: number;
}

const connections: Readonly<Record<CostKind, number>> = {
  status: 32,
  registration: 32,
  error: 32,
  certificate: 16,
};
export const registrationPath = '/collector/linked-partner/request';
let shots = 0;

/** Measures the cost of one request in all processes of the stack, including its consequences. */
export async function measureCost(kind: CostKind, context: CostContext): Promise<RequestCost> {
  const { home, durationMs } = context;
  const sendRequests = await prepareRequests(kind, context);
  await sendRequests(Math.min(2_000, durationMs));
  const before = await awaitIdle(home);
  const result = await sendRequests(durationMs);
  // A query has no consequences, and the idle work of a stack is not its cost.
  const after = kind === 'status' ? await readCpu(home) : await awaitIdle(home);
  if (result.refused > 0)
    throw new Error(`${kind}: ${result.refused} refused, such as ${result.refusals[0]}`);
  const used = usedBetween(before, after);
  const each = Object.fromEntries(Object.entries(used).map(([name, ms]) => [name, ms / result.accepted]));
  return {
    kind,
    perSecond: result.accepted / (result.elapsedMs / 1_000),
    p95Ms: percentile(result.latenciesMs, 0.95),
    each,
    totalMs: sumCpu(each),
  };
}

async function prepareRequests(kind: CostKind, { info, folder, partner }: CostContext) {
  const token = await partner.rest.token();
  const common = { token, connections: connections[kind] };
  if (kind === 'status') {
    const { sent } = await partner.register(bodies.registration());
    const query = new URLSearchParams({ referenceTransaction: sent.referenceTransaction });
    const url = `${info.baseUrl}/middleware/signature-request/status?${query}`;
    return (durationMs: number) => sendLoad({ ...common, url, referencePrefix: 'status', durationMs });
  }
  const bodyFile = join(folder, `${kind}-${shots}.json`);
  await writeFile(bodyFile, JSON.stringify(readBodyOfLine(kind, partner)));
  const url = `${info.baseUrl}${registrationPath}`;
  return (durationMs: number) => {
    shots += 1;
    return sendLoad({
      ...common,
      url,
      bodyFile,
      referencePrefix: `${kind.slice(0, 4)}-${shots}`,
      durationMs,
    });
  };
}

/** Creates a registration with the consequence of its kind. */
export function readBodyOfLine(kind: Exclude<CostKind, 'status'>, { receiver }: TestPartner): object {
  return makeLinkedPartnerRequest({
    callbackUrl: receiver.url,
    referenceTransaction: referencePlaceholder,
    ...bodies[kind](),
  });
}

const evidenceBytes = 40_000;
const bodies = {
  /** The sandbox sends this number to review: no key, no certificate, no webhook. */
  registration: () => ({ identificationNumber: '2450001504', evidences: [makeEvidence(evidenceBytes)] }),
  error: () => ({
    evidences: [
      { ...makeEvidence(0), evidenceFile: Buffer.alloc(evidenceBytes, 'no file').toString('base64') },
    ],
  }),
  certificate: () => ({ evidences: [makeEvidence(evidenceBytes)] }),
};
