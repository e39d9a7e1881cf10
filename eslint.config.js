import js from "@eslint/js";

const BROWSER = ["document", "window", "matchMedia", "requestAnimationFrame", "navigator", "localStorage"];

export default [
  { ignores: ["**/*", "!viz/**", "!pages/**", "!tests/", "!tests/stage/**", "!eslint.config.js"] },
  js.configs.recommended,
  {
    rules: {
      "no-undef": "off", // the type checker knows better
      "no-unused-vars": ["error", { ignoreRestSiblings: true, argsIgnorePattern: "^_" }],
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: "error",
      "no-eval": "error",
      "no-implied-eval": "error",
      "no-new-func": "error",
    },
  },
  {
    files: ["viz/stage/model/**", "viz/stage/geometry/**"],
    rules: {
      "no-restricted-globals": ["error", ...BROWSER],
      "no-restricted-imports": [
        "error",
        {
          patterns: [
            { regex: "^\\.\\./(?!model/|geometry/)", message: "The model knows no DOM and none of its parts." },
          ],
        },
      ],
    },
  },
];
