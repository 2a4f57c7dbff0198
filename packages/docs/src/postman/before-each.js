// Runs before each request: runners do not request access tokens themselves.
const read = (name) => pm.variables.get(name);
const keep = (name, value) => pm.collectionVariables.set(name, String(value));
if (!read('run')) keep('run', Date.now());
const account = `${read('baseUrl')} ${read('clientId')}`;
const isCurrent = read('accessTokenOf') === account && Date.now() < Number(read('accessTokenEnds'));
// Never send the token of another client.
if (!isCurrent) keep('accessToken', '');
if (read('clientId') && !isCurrent) {
  pm.sendRequest(
    {
      url: `${read('baseUrl')}/oauth/token`,
      method: 'POST',
      header: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: {
        mode: 'urlencoded',
        urlencoded: [
          { key: 'grant_type', value: 'client_credentials' },
          { key: 'client_id', value: read('clientId') },
          { key: 'client_secret', value: read('clientSecret') },
        ],
      },
    },
    (error, response) => {
      if (error || response.code !== 200) {
        // biome-ignore lint/suspicious/noConsole: the console of the collection's runner.
        console.error(`There is no access token: ${error || response.text()}`);
        return;
      }
      const token = response.json();
      keep('accessToken', token.access_token);
      keep('accessTokenOf', account);
      keep('accessTokenEnds', Date.now() + (token.expires_in - 60) * 1000);
    },
  );
}
