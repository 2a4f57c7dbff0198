// Runs after each request. The collection declares `components`, `expectations` and `variables` above this line.
const type = pm.response.headers.get('content-type') || '';
const expected = expectations[pm.info.requestName] || { 200: null };
const { code } = pm.response;
pm.test(`the status is ${Object.keys(expected).join(' or ')}`, () => {
  if (!(code in expected)) throw new Error(`it is ${code}: ${pm.response.text().slice(0, 500)}`);
});
pm.test('the answer has an x-request-id', () => {
  if (!pm.response.headers.get('x-request-id')) throw new Error('it has none');
});
const schema = expected[code];
if (schema) {
  pm.test('the body has the form that is described', () => {
    pm.response.to.have.jsonSchema({ allOf: [schema], components }, { unknownFormats: 'ignore' });
  });
}
if (pm.response.code === 200 && type.startsWith('application/json')) {
  const answer = pm.response.json();
  for (const name of variables) {
    if (typeof answer[name] === 'string') pm.collectionVariables.set(name, answer[name]);
  }
}
