import { expect, it } from 'vitest';
import { operations } from '../rest/operations.ts';
import { statusPaths } from './families.ts';

it('the status of each family is at the address of its operation', () => {
  expect(statusPaths).toEqual({
    TV: operations.linkedPartnerStatus.path,
    FR: operations.regularStatus.path,
    FT: operations.transactionalValidationStatus.path,
    FS: operations.simplifiedStatus.path,
    API: operations.signatureRequestStatus.path,
  });
});
