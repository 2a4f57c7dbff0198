import { expect, it } from 'vitest';
import { judgeRoleSettings } from './session-settings.ts';

it('finds nothing wrong with the defaults that provisioning makes, all or few of them', () => {
  const made = ['search_path=intake', 'TimeZone=UTC', 'DateStyle=ISO, MDY', 'statement_timeout=15s'];
  expect(judgeRoleSettings(made, 'intake')).toEqual([]);
  expect(judgeRoleSettings([], 'intake')).toEqual([]);
});

it('names a default of another value, and one that provisioning does not make', () => {
  const changed = ['extra_float_digits=-9', 'search_path=intake, public', 'gin_fuzzy_search_limit=1'];
  expect(judgeRoleSettings(changed, 'intake')).toEqual([
    'the role sets extra_float_digits to "-9" in place of "1"',
    'the role sets search_path to "intake, public" in place of "intake"',
    'the role sets gin_fuzzy_search_limit to "1"',
  ]);
});
