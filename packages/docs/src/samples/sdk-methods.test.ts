import { operations } from '@rubrica/contracts/rest/operations';
import { createRubrica } from '@rubrica/sdk';
import { expect, test } from 'vitest';
import { sdkMethods } from '../content/sdk-methods.ts';

test('the methods of the SDK that the examples call exist, one for each operation', () => {
  const rubrica = createRubrica({ baseUrl: 'https://rubrica.example', clientId: 'x', clientSecret: 'x' });
  const groups = rubrica as unknown as Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  for (const method of Object.values(sdkMethods)) {
    const [group = '', name = ''] = method.split('.');
    expect(groups[group]?.[name], method).toBeTypeOf('function');
  }
  const without = Object.keys(operations).filter((id) => sdkMethods[id] === undefined);
  expect(without).toEqual(['token', 'serverMetadata']);
});
