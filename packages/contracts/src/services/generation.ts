import { z } from 'zod';
import { anyone, type Call, call, partner, service } from './call.ts';
import {
  certificateByRequestInput,
  certificateState,
  ocspAnswer,
  ocspInput,
  pkiFile,
  pkiFileInput,
  pkiIndex,
  releaseBundleInput,
  releasedBundle,
  revokeForPartnerInput,
  revokeSupersededInput,
} from './schemas/generation.ts';
import { listCertificatesInput, listCertificatesOutput } from './schemas/lists.ts';
import {
  holdingInput,
  holdingOutput,
  purgeBundlesInput,
  retainInput,
  retentionDone,
} from './schemas/retention.ts';
import { revokeForSubscriberInput } from './schemas/revocations.ts';

/** The status must not wait long for a generation that is down: what intake last knew is an answer too. */
const statusTimeoutMs = 1_000;
/** Another encoding of a file takes half a second of an idle core. */
const releaseTimeoutMs = 15_000;
/** A revocation is worth waiting for. */
const revokeTimeoutMs = 8_000;
/** An operator waits for it, and the sweeper comes again. */
const retentionTimeoutMs = 3_000;

/** What other services ask of generation. */
export const generationCalls = {
  'bundles.release': call({
    kind: 'query',
    about: 'file and password of a request, sealed to the caller, for a grant of intake',
    callers: ['notifier', 'gateway'],
    actsFor: service,
    input: releaseBundleInput,
    output: releasedBundle,
    timeoutMs: releaseTimeoutMs,
    repeat: 'idempotent',
  }),
  'bundles.purge': call({
    kind: 'mutation',
    about: 'the notifier has purged its own copies: these may go too, for a grant of intake',
    callers: ['notifier'],
    actsFor: service,
    input: purgeBundlesInput,
    output: retentionDone,
    repeat: 'idempotent',
  }),
  'bundles.retain': call({
    kind: 'mutation',
    about: 'legal holds, erasures, the end of a retrieval',
    callers: ['intake'],
    actsFor: service,
    input: retainInput,
    output: retentionDone,
    timeoutMs: retentionTimeoutMs,
    repeat: 'idempotent',
  }),
  'bundles.holding': call({
    kind: 'query',
    about: 'what generation keeps of requests, until when and why',
    callers: ['intake'],
    actsFor: service,
    input: holdingInput,
    output: holdingOutput,
    timeoutMs: retentionTimeoutMs,
    repeat: 'idempotent',
  }),
  'certificates.byRequest': call({
    kind: 'query',
    about: 'state of the certificate of a request',
    callers: ['intake'],
    actsFor: service,
    input: certificateByRequestInput,
    output: certificateState,
    timeoutMs: statusTimeoutMs,
    repeat: 'idempotent',
  }),
  'certificates.list': call({
    kind: 'query',
    takesTurns: true,
    about: 'certificates of a partner, newest first, by filters',
    callers: ['gateway'],
    actsFor: partner('status:read'),
    input: listCertificatesInput,
    output: listCertificatesOutput,
    repeat: 'idempotent',
  }),
  'certificates.revoke': call({
    kind: 'mutation',
    about: "revokes a certificate that intake has found to be the partner's",
    callers: ['intake'],
    actsFor: partner('certificates:revoke'),
    input: revokeForPartnerInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'certificates.revokeForSubscriber': call({
    kind: 'mutation',
    about: 'revokes a certificate whose subscriber has shown intake a code',
    callers: ['intake'],
    actsFor: service,
    input: revokeForSubscriberInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'certificates.revokeSuperseded': call({
    kind: 'mutation',
    about: 'revokes a certificate whose renewal, now issued, takes its place',
    callers: ['intake'],
    actsFor: service,
    input: revokeSupersededInput,
    output: certificateState,
    timeoutMs: revokeTimeoutMs,
  }),
  'pki.file': call({
    kind: 'query',
    about: 'a published file, `{name}.cer` or `{name}.crl`',
    callers: ['gateway', 'intake'],
    actsFor: anyone,
    input: pkiFileInput,
    output: pkiFile,
    repeat: 'idempotent',
  }),
  'pki.index': call({
    kind: 'query',
    about: 'names of the root and of the issuing authority',
    callers: ['intake'],
    actsFor: anyone,
    input: z.object({}).optional(),
    output: pkiIndex,
    repeat: 'idempotent',
  }),
  'pki.ocsp': call({
    kind: 'query',
    about: 'an OCSP response to an OCSP request',
    callers: ['gateway'],
    actsFor: anyone,
    input: ocspInput,
    output: ocspAnswer,
    repeat: 'idempotent',
  }),
} as const satisfies Record<string, Call>;
