import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { Family } from '@rubrica/contracts/shared/enumerations';
import * as field from '@rubrica/contracts/shared/fields';
import { formatTimestamp, uuidv7 } from '@rubrica/process';
import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { bodyPlan } from '../../body/body-plan.ts';
import { partnerOf } from '../../context.ts';
import { identifierOf } from '../../fields/identifier.ts';
import { parseFields, parseTextFields, type TextShape } from '../../fields/parse-fields.ts';
import { addressOf } from '../../http/address-of.ts';
import type { Handler } from '../../http/handler.ts';
import { quotaHeaders } from '../../http/quota-headers.ts';
import type { RestDeps } from '../deps.ts';
import { answerDryRun, readDryRun } from './dry-run.ts';

type Deps = Pick<RestDeps, 'peers' | 'readBody' | 'sealPassword' | 'limits' | 'timeZone'>;
export type Registered = z.output<typeof requestsContract.registerOutput>;

/** A family whose body holds fields and perhaps a password, but no files. */
export interface PlainFamily {
  readonly operation: OperationId;
  readonly family: Family;
  /** Fields that go to intake as they are. */
  readonly shape: TextShape;
  /** The body may hold the certificate's password. */
  readonly takesPassword: boolean;
  /** Files that callers send although the family does not use them: they do not count as fields. */
  readonly ignoredFiles?: readonly string[];
  /** Registering accepts the terms: who called is kept as evidence of it. */
  readonly acceptsTerms?: boolean;
  /** Fields of the answer other than identifier, reference and date; the two states unless given. */
  readonly answerFields?: (registered: Registered, timeZone: string) => Readonly<Record<string, unknown>>;
}

const secretShape = { password: field.password.optional() } as const;
function statesOf({ status, validationStatus }: Registered) {
  return { status, validationStatus };
}

/**
 * Registers a request of a family without files. The request's id is made here, so that the call may be repeated when
 * its outcome is not known.
 */
export function createRegisterRequest(deps: Deps, kind: PlainFamily): Handler {
  const plan = bodyPlan(kind.operation, deps.limits, kind.ignoredFiles);
  const identifier = identifierOf(kind.family);
  const { answerFields = statesOf } = kind;
  const takesDryRun = 'dryRun' in operations[kind.operation];
  return async (request, reply) => {
    const asked = takesDryRun ? readDryRun(request) : undefined;
    const body = await deps.readBody(request, asked?.planOf(plan) ?? plan);
    const plain = await toInput(body.fields, kind, deps);
    if (asked?.isDry) {
      const faults = [...asked.faults, ...plain.faults];
      const given = { operation: kind.operation, fields: body.fields };
      return answerDryRun(deps, { given, input: { ...plain, faults } }, { request, reply });
    }
    const input = kind.acceptsTerms ? { ...plain, acceptance: acceptanceOf(request) } : plain;
    const options = { for: partnerOf(request) };
    const registered = await deps.peers.intake['requests.register'](input, options);
    quotaHeaders(reply, registered.quota);
    return {
      ...identifier.answer(registered.requestId),
      referenceTransaction: registered.referenceTransaction,
      ...answerFields(registered, deps.timeZone),
      createdAt: formatTimestamp(new Date(registered.createdAt), deps.timeZone),
    };
  };
}

function acceptanceOf(request: FastifyRequest): requestsContract.RegisterInput['acceptance'] {
  return {
    language: request.call.language,
    remoteAddress: addressOf(request),
    userAgent: request.headers['user-agent']?.slice(0, 300) ?? null,
  };
}

async function toInput(
  fields: Readonly<Record<string, unknown>>,
  { family, shape, takesPassword }: PlainFamily,
  { sealPassword }: Pick<Deps, 'sealPassword'>,
): Promise<requestsContract.RegisterInput> {
  const requestId = uuidv7();
  const parsed = parseTextFields(shape, fields);
  const secret = takesPassword ? parseFields(secretShape, fields) : { values: {}, faults: [] };
  const { password } = secret.values;
  return {
    requestId,
    family,
    fields: parsed.fields,
    faults: [...parsed.faults, ...secret.faults],
    files: [],
    ...(password === undefined ? {} : { sealedPassword: await sealPassword(password, requestId) }),
  };
}
