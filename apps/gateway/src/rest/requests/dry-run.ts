import { createFieldText, createText } from '@rubrica/contracts/error-texts/create-text';
import type { ErrorText } from '@rubrica/contracts/error-texts/error-text';
import { renderEnglish } from '@rubrica/contracts/error-texts/render-text';
import {
  type DryRunResult,
  dryRunQuery,
  dryRunSuffix,
  type ServiceWarning,
} from '@rubrica/contracts/rest/dry-run';

import { evidenceItemSchema } from '@rubrica/contracts/rest/linked-partner';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { type OperationId, operations } from '@rubrica/contracts/rest/operations';
import type * as requestsContract from '@rubrica/contracts/services/schemas/requests';
import type { ErrorDetail } from '@rubrica/contracts/shared/errors';
import { findCanton } from '@rubrica/ecuador';
import { nearestName } from '@rubrica/process/config';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { BodyPlan } from '../../body/body.ts';
import { type Language, type PartnerCaller, requirePartner } from '../../context.ts';
import { parseQuery } from '../../fields/parse-fields.ts';
import { localize, setLanguageHeaders } from '../../http/localize.ts';
import type { RestDeps } from '../deps.ts';

/** Dry-run mode of a registration. */
export interface DryRunMode {
  readonly isDry: boolean;
  /** Faults of the parameter, reported with those of the body. */
  readonly faults: readonly ErrorDetail[];
}

/**
 * Reads the dry-run mode from the address or the parameter. An invalid value is refused, because its caller does not
 * intend to register.
 */
export function readDryRun({
  query,
  routeOptions,
}: Pick<FastifyRequest, 'query' | 'routeOptions'>): DryRunMode {
  if (routeOptions.url?.endsWith(dryRunSuffix)) return { isDry: true, faults: [] };
  const { values, faults } = parseQuery(dryRunQuery.shape, query);
  return { isDry: values.dryRun === 'true' || faults.length > 0, faults };
}

/** Adapts the plan of a body: files of a dry run are checked but not stored. */
export function planBody(plan: BodyPlan, { isDry }: DryRunMode): BodyPlan {
  return isDry ? { ...plan, dropsFiles: true } : plan;
}

export interface DryRun {
  readonly given: ReceivedBody;
  readonly input: requestsContract.RegisterInput;
  /** Errors of evidences that could not be accepted: the request would be registered in ERROR. */
  readonly errors?: readonly ErrorDetail[];
}

/**
 * Answers a dry run.
 * @throws AppError the refusal of the registration
 */
export async function answerDryRun(
  deps: Pick<RestDeps, 'peers'>,
  dryRun: DryRun,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<DryRunResult> {
  const { language } = request.call;
  const result = await checkRegistration(deps, dryRun, { caller: requirePartner(request), language });
  setLanguageHeaders(language, reply);
  return result;
}

/** Caller of a registration or dry run, with the language of its texts. */
export interface CallerContext {
  readonly caller: PartnerCaller;
  readonly language: Language;
}

/**
 * Checks a registration with intake.
 * @throws AppError the refusal of the registration
 */
export async function checkRegistration(
  { peers }: Pick<RestDeps, 'peers'>,
  { given, input: { acceptance: _acceptance, evidence: _evidence, ...input }, errors = [] }: DryRun,
  { caller, language }: CallerContext,
): Promise<DryRunResult> {
  const found = await peers.intake['requests.dryRun'](input, { for: caller });
  const warnings = [...found.warnings, ...findIgnored(given)].map((item) => localize(item, language));
  if (errors.length === 0) return { valid: true, warnings };
  return { valid: false, warnings, errors: errors.map((item) => localize(item, language)) };
}

type Fields = Readonly<Record<string, unknown>>;
type Warning = ServiceWarning;

/** Body as received, for an operation. */
export interface ReceivedBody {
  readonly operation: OperationId;
  readonly fields: Fields;
}

/** Maximum number of warnings, for a body of arbitrary fields. */
const maxWarnings = 50;
const maxNameLength = 60;

/** Finds input that a registration would silently ignore or accept: misspelt field names, and unknown cities. */
export function findIgnored({ operation, fields }: ReceivedBody): Warning[] {
  const { body }: Operation = operations[operation];
  const knownNames = Object.keys(body?.shape ?? {});
  const { evidences } = fields;
  const items = knownNames.includes('evidences') && Array.isArray(evidences) ? evidences : [];
  const warnings: Warning[] = [];
  for (const createWarning of listIgnored(fields, { knownNames, items })) {
    if (warnings.length === maxWarnings) break;
    warnings.push(createWarning());
  }
  return warnings;
}

/** Yields functions that create the warnings: the search for a similar name takes time, and most warnings are dropped. */
function* listIgnored(
  fields: Fields,
  { knownNames, items }: { readonly knownNames: readonly string[]; readonly items: readonly unknown[] },
): Generator<() => Warning> {
  yield* listUnknown(fields, knownNames);
  for (const [index, item] of items.entries())
    if (isObject(item))
      yield* listUnknown(item, Object.keys(evidenceItemSchema.shape), `evidences[${index}].`);
  for (const warning of findUnknownCity(fields, knownNames)) yield () => warning;
}

function* listUnknown(fields: Fields, knownNames: readonly string[], prefix = ''): Generator<() => Warning> {
  for (const name of Object.keys(fields))
    if (!knownNames.includes(name)) yield () => createUnknownFieldWarning(name, knownNames, prefix);
}

function createUnknownFieldWarning(name: string, knownNames: readonly string[], prefix: string): Warning {
  const field = `${prefix}${name}`.slice(0, maxNameLength);
  const similar = name.length <= maxNameLength ? nearestName(name, knownNames) : undefined;
  const fault =
    similar === undefined
      ? createText('field.ignored')
      : createText('field.ignoredSimilar', {
          name: `${prefix}${similar}`,
        });
  return toWarning('UNKNOWN_FIELD', field, fault);
}

function findUnknownCity({ city }: Fields, knownNames: readonly string[]): Warning[] {
  if (!knownNames.includes('city') || typeof city !== 'string' || city.trim() === '') return [];
  if (findCanton(city) !== undefined) return [];
  const given = city.slice(0, maxNameLength);
  return [toWarning('UNKNOWN_CITY', 'city', createText('field.cityUnlisted', { given }))];
}

function toWarning(code: string, field: string, fault: ErrorText): Warning {
  const text = createFieldText(field, fault);
  return { code, field, message: renderEnglish(text), text };
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
