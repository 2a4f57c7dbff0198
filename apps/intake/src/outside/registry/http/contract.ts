import { z } from 'zod';
import { findLostLetters, findUncertifiable } from '../../../base/certified-text.ts';

const earliestBirthDate = '1880-01-01';

const name = z.string().trim().min(1).max(100);
/**
 * Names of a person. Names that no certificate can hold, or with lost letters, are a fault of the registry:
 * the answer counts as none.
 */
const namesSchema = z
  .object({ given: name, surname: name, secondSurname: name.nullable().default(null) })
  .refine(({ given, surname, secondSurname }) => {
    const names = {
      applicantName: given,
      applicantLastName: surname,
      applicantSecondLastName: secondSurname,
    };
    return findUncertifiable(names).length + findLostLetters(names).length === 0;
  });

/**
 * Creates the schema of the civil registry's answer. Birth dates that nobody living has are how registries
 * write "unknown"; taken literally they would refuse an applicant for good.
 * @param today date where the applicant lives, `yyyy-MM-dd`
 */
export function personSchema(today: () => string) {
  return z.object({
    birthDate: z.iso.date().refine((date) => date >= earliestBirthDate && date <= today()),
    deceased: z.boolean(),
    fingerCodeMatches: z.boolean(),
    namesMatch: z.boolean(),
    names: namesSchema.nullable().default(null),
    needsReview: z.boolean().default(false),
  });
}

/** Answer of the tax registry. */
export const companySchema = z.object({
  active: z.boolean(),
  representedByApplicant: z.boolean(),
  socialReason: z.string().max(500).optional(),
});
