# SPDX-License-Identifier: Apache-2.0
"""The provider that a configuration asks for."""

from __future__ import annotations

from tenuto.agent.providers.base import Provider
from tenuto.agent.schema import AgentConfig
from tenuto.agent.tree import unusable_config
from tenuto.sentences import sentence


def make_provider(config: AgentConfig) -> Provider:
    """Make it, without a word to the network yet.

    :raises ConfigError: the provider is none of ours, or its script cannot be used.
    :raises ProviderError: there is no key for it.
    """
    match config.llm.provider:
        case "anthropic":
            from tenuto.agent.providers.anthropic import AnthropicProvider, AnthropicSettings

            return AnthropicProvider(
                AnthropicSettings(
                    model=config.llm.model,
                    base_url=config.tenuto.base_url,
                    max_output_tokens=config.llm.budget.max_output_tokens,
                    call_timeout=config.llm.budget.call_timeout,
                    thinking=config.llm.thinking,
                    cache=not config.llm.no_prompt_cache,
                    key_variable=config.tenuto.api_key_env,
                    key_files=config.key_files,
                )
            )
        case "openai":
            from tenuto.agent.providers.openai import (
                KEY_VARIABLE,
                OpenAIProvider,
                OpenAISettings,
            )

            return OpenAIProvider(
                OpenAISettings(
                    model=config.llm.model,
                    base_url=config.tenuto.base_url,
                    max_output_tokens=config.llm.budget.max_output_tokens,
                    call_timeout=config.llm.budget.call_timeout,
                    thinking=config.llm.thinking,
                    key_variable=config.tenuto.api_key_env or KEY_VARIABLE,
                    key_files=config.key_files,
                )
            )
        case "scripted" if config.script is not None:
            from tenuto.agent.providers.scripted import ScriptedProvider, load_script

            return ScriptedProvider(load_script(config.script))
    text = sentence("the provider {provider!r} cannot be used here", provider=config.llm.provider)
    raise unusable_config(text, "llm.provider", path=str(config.path))
