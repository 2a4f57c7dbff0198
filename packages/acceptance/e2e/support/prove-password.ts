import type { Page } from '@rubrica/testkit/browser';

/** Types the current password, which the console requires before a factor is enrolled. */
export async function provePassword(page: Page, password: string): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Is it you?' });
  await dialog.getByLabel('Present password').fill(password);
  await dialog.getByRole('button', { name: 'Go on' }).click();
}
