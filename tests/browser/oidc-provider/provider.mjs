// An identity provider for the tests, made of oidc-provider. It prints its issuer, reads the redirect address of the
// service as a line, and ends with its standard input. Whoever signs in is known by the name that they type, which is also
// their email.
import http from 'node:http';
import { createRequire } from 'node:module';
import readline from 'node:readline';
import { pathToFileURL } from 'node:url';

const [packages] = process.argv.slice(2);
const path = createRequire(pathToFileURL(`${packages}/`)).resolve('oidc-provider');
const { default: Provider } = await import(pathToFileURL(path));

const server = http.createServer();
await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
const issuer = `http://127.0.0.1:${server.address().port}`;

const lines = readline.createInterface({ input: process.stdin });
lines.on('close', () => process.exit());
lines.once('line', (redirect) => {
  const provider = new Provider(issuer, {
    clients: [{
      client_id: 'hub',
      client_secret: 'a secret of at least thirty-two characters',
      redirect_uris: [redirect],
    }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: true } },
    findAccount: (_context, id) => ({
      accountId: id,
      claims: () => ({ sub: id, email: id, email_verified: true }),
    }),
  });
  server.on('request', provider.callback());
});
console.log(`issuer ${issuer}`);
