import { beforeAll, describe, expect, it } from 'vitest';
import { checkTree, projectRoot } from '../src/check.ts';
import { compareSnapshots } from '../src/compare-snapshots.ts';
import { rolloutOrder } from '../src/rollout-order.ts';
import { parts, type Snapshot } from '../src/snapshot/snapshot.ts';
import { compareVersions, writeSnapshot } from '../src/snapshot/stored.ts';
import { takeSnapshot } from '../src/snapshot/take-snapshot.ts';

it('this tree keeps what the last release agreed, or has a waiver that counts', async () => {
  const { open, expired } = await checkTree();
  expect({ open, expired }).toEqual({ open: [], expired: [] });
});

/** What becomes of one place of a snapshot; undefined takes it away. */
interface Change {
  readonly at: readonly string[];
  readonly value?: unknown;
}

interface Node {
  [name: string]: Node;
}

function changed(snapshot: Snapshot, changes: readonly Change[]): Snapshot {
  const after = structuredClone(snapshot);
  for (const { at, value } of changes) {
    const parent = at.slice(0, -1).reduce((node, name) => node[name] as Node, after as unknown as Node);
    const name = at.at(-1) ?? '';
    expect(parent, at.join(' ')).toBeTypeOf('object');
    if (value === undefined) delete parent[name];
    else parent[name] = value as Node;
  }
  return after;
}

const path = '/middleware/signature-request/status';
const status = ['openapi', 'paths', path, 'get'];
const terms = ['calls', 'terms/terms.active'];
const timeout = ['settings', 'terms/running/SHUTDOWN_TIMEOUT_SECONDS'];

const broken: readonly (readonly [what: string, line: string, change: Change])[] = [
  ['an operation is gone', `openapi ${path}: is gone`, { at: status.slice(0, -1) }],
  [
    'an operation takes other credentials',
    `openapi GET ${path}: security was`,
    { at: [...status, 'security'], value: [] },
  ],
  [
    'an operation wants another parameter',
    `openapi GET ${path} query `,
    { at: [...status, 'parameters', '0'], value: { in: 'query', name: 'more', required: true } },
  ],
  [
    'an operation wants a body',
    `openapi GET ${path} body: is new, and required`,
    { at: [...status, 'requestBody'], value: { required: true, content: {} } },
  ],
  [
    'an operation answers another status',
    `openapi GET ${path} 202: is new`,
    { at: [...status, 'responses', '202'], value: {} },
  ],
  [
    'an operation no longer answers with a body',
    `openapi GET ${path} 200 application/json: is gone`,
    { at: [...status, 'responses', '200', 'content'] },
  ],
  [
    'a schema of the components cannot be followed',
    'a reference cannot be followed',
    { at: ['openapi', 'components', 'schemas'], value: {} },
  ],
  ['callers are gone', 'calls terms/terms.active: caller ', { at: [...terms, 'callers'], value: [] }],
  [
    'a call wants a field more',
    'calls terms/terms.active input/more: may be missing, and is required',
    { at: [...terms, 'input', 'required'], value: ['more'] },
  ],
  [
    'an answer is read only with a field that the last release does not say',
    'calls terms/terms.active output/more: may be missing, and is required',
    {
      at: [...terms, 'output', 'required'],
      value: ['id', 'version', 'content', 'type', 'active', 'createdDate', 'more'],
    },
  ],
  [
    'a call may not be made again',
    'calls generation/pki.file: repeat was "idempotent" and is null',
    { at: ['calls', 'generation/pki.file', 'repeat'], value: null },
  ],
  [
    'a procedure takes another role',
    'operators overview: role was',
    { at: ['operators', 'overview', 'role'], value: 'admin' },
  ],
  [
    'a message needs a field more',
    'messages jobs.mail.send/more: may be missing, and is required',
    { at: ['messages', 'payloads', 'jobs.mail.send', 'required'], value: ['messageId', 'more'] },
  ],
  [
    'a stream keeps other subjects',
    'messages JOBS_MAIL: stream was',
    { at: ['messages', 'streams', 'JOBS_MAIL'], value: {} },
  ],
  [
    'a consumer has another name',
    'messages JOBS_MAIL/notifier: is gone',
    { at: ['messages', 'consumers', 'JOBS_MAIL/notifier'] },
  ],
  [
    'a webhook says more than its strict readers take',
    'webhooks request.error/TV/more: is refused as unknown',
    {
      at: ['webhooks', 'request.error/TV', '$defs', 'RequestErrorEvent', 'properties', 'more'],
      value: {},
    },
  ],
  [
    'a setting has another default',
    'settings terms/running/LOG_LEVEL: default was "info" and is "debug"',
    { at: ['settings', 'terms/running/LOG_LEVEL', 'default'], value: 'debug' },
  ],
  [
    'a setting is new, and required',
    'settings terms/running/MORE: is new, and required',
    { at: ['settings', 'terms/running/MORE'], value: { required: true, accepts: {}, refuses: null } },
  ],
  [
    'a setting is required now',
    'settings terms/running/LOG_LEVEL: is required now',
    { at: ['settings', 'terms/running/LOG_LEVEL', 'required'], value: true },
  ],
  [
    'a setting takes a smaller range',
    'settings terms/running/SHUTDOWN_TIMEOUT_SECONDS: refuses was',
    { at: [...timeout, 'refuses'], value: 'must be a whole number from 1 to 60' },
  ],
  [
    'a metric is gone',
    'metrics process_resident_memory_bytes: is gone',
    { at: ['metrics', 'process_resident_memory_bytes'] },
  ],
  [
    'a metric has lost its labels',
    'metrics rubrica_http_duration_seconds: label ',
    { at: ['metrics', 'rubrica_http_duration_seconds', 'labels'], value: [] },
  ],
];

const grown: readonly (readonly [what: string, change: Change])[] = [
  [
    'a setting takes a larger range',
    { at: [...timeout, 'refuses'], value: 'must be a whole number from 0 to 900' },
  ],
  [
    'a setting that may be left out is new',
    { at: ['settings', 'terms/running/MORE'], value: { required: false, accepts: {}, refuses: null } },
  ],
  ['a metric is new', { at: ['metrics', 'more_total'], value: { type: 'counter', labels: [] } }],
  ['an operation is new', { at: ['openapi', 'paths', '/more'], value: { get: { responses: {} } } }],
  ['an operation refuses in a new way', { at: [...status, 'responses', '451'], value: {} }],
  [
    'a call has a caller more',
    { at: [...terms, 'callers'], value: ['gateway', 'generation', 'intake', 'notifier'] },
  ],
];

describe('against this tree itself', () => {
  let present: Snapshot;
  beforeAll(async () => {
    present = await takeSnapshot(projectRoot);
  });

  it('there is something of every part', () => {
    for (const part of parts) expect(JSON.stringify(present[part]).length, part).toBeGreaterThan(2_000);
  });

  it('everything is kept', () => {
    expect(compareSnapshots(present, present)).toEqual([]);
  });

  it.each(broken)('it is found that %s', (_, line, change) => {
    const lines = compareSnapshots(present, changed(present, [change]));
    expect(lines).not.toEqual([]);
    for (const one of lines) expect(one).toContain(line);
  });

  it('who answers goes first where a call or a field is new, and nowhere else', () => {
    const before = changed(present, [
      { at: ['calls', 'generation/pki.file'] },
      { at: ['calls', 'terms/terms.active', 'output', 'properties'], value: {} },
    ]);
    expect(rolloutOrder(present, present)).toEqual(new Map());
    expect(Object.fromEntries(rolloutOrder(before, present))).toMatchObject({
      'generation before intake': ['pki.file'],
      'terms before gateway': ['terms.active'],
    });
  });

  it.each(grown)('it breaks nothing that %s', (_, change) => {
    expect(compareSnapshots(present, changed(present, [change]))).toEqual([]);
  });
});

it('what was released does not change', () => {
  expect(() => writeSnapshot('0.1.0', {} as Snapshot)).toThrow('what was released does not change');
  expect(() => writeSnapshot('next', {} as Snapshot)).toThrow('"next" is no version such as 0.2.0');
});

it('versions are in the order of their numbers, not of their letters', () => {
  expect(['0.10.0', '0.9.1', '0.9.0'].toSorted(compareVersions)).toEqual(['0.9.0', '0.9.1', '0.10.0']);
});
