import { readFile } from 'node:fs/promises';
import { statuses } from '@rubrica/contracts/shared/enumerations';
import { describe, expect, it } from 'vitest';
import {
  applyTrigger,
  canApply,
  chooseRetryTrigger,
  isTerminal,
  type Trigger,
  transitions,
} from './state-machine.ts';

const triggers = Object.keys(transitions) as Trigger[];

describe('the state machine', () => {
  it('lets no transition leave a terminal state', () => {
    for (const status of statuses.filter(isTerminal))
      expect(triggers.filter((trigger) => canApply(trigger, status))).toEqual([]);
  });

  it('gives every state that is not terminal a way out', () => {
    for (const status of statuses.filter((one) => !isTerminal(one))) {
      const ways = triggers.filter(
        (trigger) => canApply(trigger, status) && transitions[trigger].to !== status,
      );
      expect(ways, status).not.toEqual([]);
    }
  });

  it('reaches every state from a registration', () => {
    const reached = new Set<string>(['REGISTERED', 'ERROR']);
    for (let size = 0; size !== reached.size; ) {
      size = reached.size;
      for (const trigger of triggers)
        if (transitions[trigger].from.some((from) => reached.has(from))) reached.add(transitions[trigger].to);
    }
    expect([...reached].sort()).toEqual([...statuses].sort());
  });

  it('destroys secrets whenever a request ends without a certificate', () => {
    for (const trigger of triggers) {
      const { to, effects } = transitions[trigger];
      const endsEmpty = isTerminal(to) && to !== 'GENERATED';
      expect((effects as readonly string[]).includes('destroy-secrets'), trigger).toBe(endsEmpty);
    }
  });

  it('tells the partner exactly once of each end that validation, generation or a retry brings', () => {
    const told = (trigger: Trigger) =>
      transitions[trigger].effects.filter((effect) => effect.startsWith('tell-'));
    for (const trigger of [
      'registerWithErrors',
      'failValidation',
      'refuse',
      'issue',
      'failGeneration',
      'dispute',
      'reportWrongData',
    ] as const)
      expect(told(trigger), trigger).toHaveLength(1);
    expect(told('exceedRetries')).toEqual(['tell-partner:request.refused']);
    expect(told('cancel')).toEqual([]);
  });

  it('leaves the validation status as it was on refusal by retry, cancel and expiry', () => {
    for (const trigger of ['exceedRetries', 'cancel', 'expire'] as const)
      expect(applyTrigger(trigger, 'COMPLETED').validationStatus).toBe('COMPLETED');
  });
});

describe('a retry', () => {
  it.each([
    ['registration', 'retryRegistration'],
    ['validation', 'retryValidation'],
    ['generation', 'retryGeneration'],
  ] as const)('runs the failed step %s again', (failedStep, trigger) => {
    expect(chooseRetryTrigger({ retryCount: 0, failedStep, voidsApproval: false })).toBe(trigger);
  });

  it('starts from the beginning when identity data changed, whichever step failed', () => {
    expect(chooseRetryTrigger({ retryCount: 1, failedStep: 'generation', voidsApproval: true })).toBe(
      'retryRegistration',
    );
  });

  it('refuses on the third call even when corrections are sent', () => {
    expect(chooseRetryTrigger({ retryCount: 2, failedStep: 'validation', voidsApproval: true })).toBe(
      'exceedRetries',
    );
  });
});

describe('the map in packages/contracts', async () => {
  const map = await readFile(new URL('../../../../../packages/contracts/README.md', import.meta.url), 'utf8');
  const drawn = [...map.matchAll(/^ {2}(\S+) --> (\w+): (.+)$/gm)].flatMap(([, from, to, named]) =>
    (named ?? '').split(', ').map((trigger) => `${trigger}: ${from} to ${to}`),
  );

  it('draws every transition, and no other', () => {
    const real = triggers.flatMap((trigger) => {
      const { from, to } = transitions[trigger];
      return (from.length === 0 ? ['[*]'] : from).map((status) => `${trigger}: ${status} to ${to}`);
    });
    expect(drawn.toSorted()).toEqual(real.toSorted());
  });
});
