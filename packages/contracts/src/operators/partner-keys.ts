import { z } from 'zod';
import { idSchema, instant, lineField, text } from '../shared/fields.ts';
import { change } from './common.ts';
import { partnerKey, waitingPartner } from './partner-record.ts';
import { endsPerHour, neverNeedsSecond } from './second-approver.ts';

const { algorithm, thumbprint } = partnerKey.shape;

/** JWK. Unknown members are ignored, so their values may have any form, within a small size. */
const jwk = z
  .record(lineField(40), z.union([text(2048), z.array(text(8192)).max(8), z.boolean()]))
  .refine((members) => Object.keys(members).length <= 20, 'must have at most 20 members');

export const partnerKeyProcedures = {
  'partners.addKey': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({
      id: idSchema,
      key: z
        .union([text(4096), jwk])
        .describe(
          'Public key as a JWK, or PEM (BEGIN PUBLIC KEY): RSA of 2048 to 4096 bits, P-256 or Ed25519. A partner has at most three',
        ),
      ...change,
    }),
    output: z.union([
      z.object({ keyId: idSchema, algorithm, thumbprint, createdAt: instant }),
      waitingPartner,
    ]),
  },
  'partners.removeKey': {
    kind: 'mutation',
    service: 'intake',
    role: 'admin',
    input: z.object({ id: idSchema, keyId: idSchema, ...change }),
    output: z.union([z.object({ keyId: idSchema, removedAt: instant }), waitingPartner]),
    second: neverNeedsSecond,
    alonePerHour: endsPerHour,
  },
} as const;
