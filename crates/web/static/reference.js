// Starts Swagger UI, and adds samples of each call in JavaScript and Python to its own for curl.

const call = (request) => ({
  url: request.get("url"),
  method: request.get("method"),
  headers: request.get("headers")?.toJS() ?? {},
  body: request.get("body"),
});

function javascript(request) {
  const { url, method, headers, body } = call(request);
  const options = { method, headers, ...(body ? { body } : {}) };
  return [
    `const answer = await fetch(${JSON.stringify(url)}, ${JSON.stringify(options, null, 2)});`,
    "console.log(answer.status, await answer.text());",
  ].join("\n");
}

// What JSON.stringify writes of texts and objects of texts is a literal of Python too.
function python(request) {
  const { url, method, headers, body } = call(request);
  const lines = [
    "from urllib.request import Request, urlopen",
    "",
    "call = Request(",
    `    ${JSON.stringify(url)},`,
    `    method=${JSON.stringify(method)},`,
    `    headers=${JSON.stringify(headers)},`,
    ...(body ? [`    data=${JSON.stringify(body)}.encode(),`] : []),
    ")",
    "with urlopen(call, timeout=30) as answer:",
    "    print(answer.status, answer.read().decode())",
  ];
  return lines.join("\n");
}

SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("reference"),
  deepLinking: true,
  docExpansion: "list",
  filter: true,
  // By default it would call the validator of its makers.
  validatorUrl: "none",
  persistAuthorization: false,
  requestSnippetsEnabled: true,
  requestSnippets: {
    generators: {
      curl_bash: { title: "curl", syntax: "bash" },
      javascript: { title: "JavaScript", syntax: "javascript" },
      python: { title: "Python", syntax: "python" },
    },
  },
  plugins: [
    { fn: { requestSnippetGenerator_javascript: javascript, requestSnippetGenerator_python: python } },
  ],
});
