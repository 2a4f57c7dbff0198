import type { FactorKind } from '@rubrica/contracts/operators/factors';
import { expect, it } from 'vitest';
import { chooseDueFactor } from './choose-due-factor.ts';

it.each<[readonly FactorKind[], boolean, ReturnType<typeof chooseDueFactor>]>([
  [[], false, 'enrolment'],
  [['totp'], false, 'code'],
  [['passkey'], false, 'passkey'],
  [['passkey', 'totp'], false, 'code'],
  [[], true, 'nothing'],
  [['passkey'], true, 'nothing'],
  [['totp'], true, 'code'],
])(
  'of who has enrolled %j after the password, where that is enough: %j → %s',
  (kinds, passwordIsEnough, due) => {
    expect(chooseDueFactor({ kinds: new Set(kinds), passwordIsEnough })).toBe(due);
  },
);
