import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { OperatorProcedure } from '@rubrica/contracts/operators/procedure';
import { operatorProcedures } from '@rubrica/contracts/operators/procedures';
import {
  certificateStatuses,
  certificateTypes,
  families,
  operatorRoleSchema,
  periods,
  scopes,
  services,
  statuses,
  validationStatuses,
} from '@rubrica/contracts/shared/enumerations';
import { answeredDetailSchema } from '@rubrica/contracts/shared/errors';
import { collectTypes, type Types } from '@rubrica/sdk/types-of-schemas';

export const head = '// Generated from packages/contracts by scripts/generate.ts. Do not edit.';

const enumerations = {
  CertificateStatus: certificateStatuses,
  CertificateType: certificateTypes,
  Family: families,
  OperatorRole: operatorRoleSchema.options,
  Period: periods,
  Scope: scopes,
  ServiceName: services,
  Status: statuses,
  ValidationStatus: validationStatuses,
};

/** Generates the text of `src/api.ts`: input and output of each procedure, without zod or the contracts. */
export function describeApi(): string {
  const types = collectTypes(enumerations);
  const rows = Object.entries<OperatorProcedure>(operatorProcedures).sort(([a], [b]) => (a < b ? -1 : 1));
  const procedures = rows.map(([path, row]) => signature(path, row, types));
  const table = rows.map(([path, { kind, role }]) => `'${path}': ${JSON.stringify({ kind, role })}`);
  const detail = types.use(answeredDetailSchema, 'output');
  return format(
    [
      head,
      ...types.declarations(),
      `/** One fault of an input, or one reason of a refusal. */\nexport interface ErrorDetail ${detail}`,
      `/** Input and output of each procedure. */\nexport interface Procedures {\n${procedures.join('\n')}\n}`,
      'export type OperatorPath = keyof Procedures;',
      `/** Kind of each procedure, query or mutation, and the lowest role that may call it. */\nexport const operatorProcedures = {\n${table.join(',\n')},\n} as const satisfies { readonly [P in OperatorPath]: { readonly kind: Procedures[P]['kind']; readonly role: OperatorRole | 'public' } };`,
    ].join('\n\n'),
  );
}

function signature(path: string, { kind, role, input, output }: OperatorProcedure, types: Types): string {
  const sent = types.use(input, 'input');
  const orNothing = input.safeParse(undefined).success ? ' | undefined' : '';
  const least = role === 'public' ? 'Open to all' : `Role ${role}`;
  return `/** ${least}. */\n'${path}': { kind: '${kind}'; input: ${sent}${orNothing}; output: ${types.use(output, 'output')} };`;
}

function format(text: string): string {
  const root = join(import.meta.dirname, '..');
  const biome = join(root, '..', '..', 'node_modules', '.bin', 'biome');
  return execFileSync(biome, ['format', '--stdin-file-path=src/api.ts'], {
    cwd: root,
    input: text,
  }).toString();
}
