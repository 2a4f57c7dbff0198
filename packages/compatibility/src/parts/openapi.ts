import type { Direction } from '../schema/difference.ts';
import type { Json, Schema } from '../schema/json-schema.ts';
import { resolve } from '../schema/json-schema.ts';
import type { Content, OpenApi, Operation, Parameter, Response } from '../snapshot/snapshot.ts';
import { compareFacts, compareRows, type Finding, schemaFindings } from './finding.ts';

type Roots = { readonly before: Json; readonly after: Json };

/** Compares the API: the next release must serve partners' programs written for the last one. */
export function compareOpenApi(before: OpenApi, after: OpenApi): Finding[] {
  const roots: Roots = { before: before as unknown as Json, after: after as unknown as Json };
  return compareRows(before.paths, after.paths, (old, now, path) =>
    compareRows(listOperations(old, path), listOperations(now, path), (own, other, name) =>
      compareOperations({ before: own, after: other, name, roots }),
    ),
  );
}

function listOperations(
  methods: Readonly<Record<string, Operation>>,
  path: string,
): Record<string, Operation> {
  return Object.fromEntries(
    Object.entries(methods).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation]),
  );
}

interface Change<Of> {
  readonly before: Of;
  readonly after: Of;
  readonly name: string;
  readonly roots: Roots;
}

function compareOperations(change: Change<Operation>): Finding[] {
  const { before, after, name } = change;
  return [
    ...compareFacts({ before, after, name }, ['security']),
    ...compareParameters(change),
    ...compareBodies(change),
    ...compareResponses(change),
  ];
}

function compareParameters({ before, after, name, roots }: Change<Operation>): Finding[] {
  const old = listParameters(before, roots.before);
  const now = listParameters(after, roots.after);
  const added = Object.entries(now).filter(([one, { required }]) => required && old[one] === undefined);
  return [
    ...added.map(([one]) => `${name} ${one}: is new, and required`),
    ...compareRows(old, now, (own, other, one) => [
      ...(other.required && !own.required ? [`${one}: is required now`] : []),
      ...schemaFindings(one, {
        before: own.schema ?? {},
        after: other.schema ?? {},
        direction: 'request',
        roots,
      }),
    ]).map((finding) => `${name} ${finding}`),
  ];
}

/** Lists parameters by location and name: `query page`. */
function listParameters({ parameters = [] }: Operation, root: Json): Record<string, Parameter> {
  const resolved = parameters.map((one) => resolve(one as Schema, root) as unknown as Parameter);
  return Object.fromEntries(resolved.map((one) => [`${one.in} ${one.name}`, one]));
}

function compareBodies({ before, after, name, roots }: Change<Operation>): Finding[] {
  const [old, now] = [before.requestBody, after.requestBody];
  if (old === undefined) return now?.required ? [`${name} body: is new, and required`] : [];
  if (now === undefined) return [`${name} body: is no longer read`];
  const needs = now.required && !old.required ? [`${name} body: is required now`] : [];
  const contents = { before: old.content, after: now.content, name: `${name} body`, roots };
  return [...needs, ...compareContents(contents, 'request')];
}

function compareContents({ before, after, name, roots }: Change<Content>, direction: Direction): Finding[] {
  return compareRows(before, after, (own, other, type) =>
    schemaFindings(type, { before: own.schema ?? {}, after: other.schema ?? {}, direction, roots }),
  ).map((finding) => `${name} ${finding}`);
}

/** Compares responses. Callers must handle any refusal, but must know all other responses. */
function compareResponses({ before, after, name, roots }: Change<Operation>): Finding[] {
  const isRefusal = (status: string) => /^[45]/.test(status);
  const added = Object.keys(after.responses).filter(
    (status) => !isRefusal(status) && before.responses[status] === undefined,
  );
  const both = Object.entries(before.responses).flatMap(([status, own]) => {
    const other = after.responses[status];
    const here = `${name} ${status}`;
    if (other === undefined) return isRefusal(status) ? [] : [`${here}: is gone`];
    const [old, now] = [resolveResponse(own, roots.before), resolveResponse(other, roots.after)];
    return [
      ...compareRows(old.headers ?? {}, now.headers ?? {}, () => []).map((finding) => `${here} ${finding}`),
      ...compareContents(
        { before: old.content ?? {}, after: now.content ?? {}, name: here, roots },
        'answer',
      ),
    ];
  });
  return [...added.map((status) => `${name} ${status}: is new`), ...both];
}

function resolveResponse(response: Response, root: Json): Response {
  return resolve(response as Schema, root) as Response;
}
