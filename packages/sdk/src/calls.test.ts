import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Operation } from '@rubrica/contracts/rest/operation';
import { statuses } from '@rubrica/contracts/shared/enumerations';
import type { ErrorCode } from '@rubrica/contracts/shared/errors';
import { describe, expect, it } from 'vitest';
import { describeApi } from '../scripts/describe-api.ts';
import { everyOperation } from '../scripts/every-operation.ts';
import { type CallRow, calls } from './calls.ts';

const rows = Object.values<Readonly<Record<string, CallRow>>>(calls).flatMap((group) => Object.values(group));
const isDryRun = ({ operation }: CallRow) => operation.endsWith('DryRun');
const operationOf = (id: string): Operation => everyOperation[id as keyof typeof everyOperation];

describe('the table of calls', () => {
  it('has every operation of the interface, and types that are what the contracts say', () => {
    expect([...new Set(rows.map(({ operation }) => operation))].sort()).toEqual(
      Object.keys(everyOperation).sort(),
    );
    const written = readFileSync(join(import.meta.dirname, 'api.ts'), 'utf8');
    expect(written, 'npm run generate --workspace @rubrica/sdk').toBe(describeApi());
  });

  it('repeats every query, and of the other calls those that name again what is there', () => {
    const safe = rows
      .filter((row) => row.repeat === 'safe' && !isDryRun(row))
      .map(({ operation }) => operation);
    const queries = rows.filter((row) => operationOf(row.operation).method === 'GET');
    const named = ['requestLiveness', 'checkLiveness', 'issueSignature', 'resendEvent'];
    expect(safe.sort()).toEqual([...queries.map(({ operation }) => operation), ...named].sort());
  });

  it('finds by its reference whatever is registered under one, where its family is known', () => {
    for (const row of rows) {
      const registers = operationOf(row.operation).errors.includes('DUPLICATED_REFERENCE_TRANSACTION');
      const isOfAnyFamily = row.operation === 'renewCertificate';
      expect(row.repeat === 'by-reference').toBe(registers && !isDryRun(row) && !isOfAnyFamily);
    }
  });

  it('asks what a registration would answer wherever the operation takes that', () => {
    const asking = rows.filter(isDryRun).map(({ operation }) => operation);
    const taking = Object.entries<Operation>(everyOperation).filter(([, row]) => row.dryRun !== undefined);
    expect(asking.toSorted()).toEqual(taking.map(([id]) => `${id}DryRun`).toSorted());
  });

  it('tells by a refusal that the operation knows, and by a state that there is', () => {
    for (const row of rows) {
      if (row.repeat !== 'by-state') continue;
      expect(operationOf(row.operation).errors as readonly ErrorCode[]).toContain(row.conflict);
      if ('reached' in row) expect(statuses).toContain(row.reached);
    }
  });
});
