// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.20;

import {IPrimeOrders, PRIME_ORDERS} from "@prime/contracts/IPrimeOrders.sol";

/// @dev What somebody might try with the order book, for tests.
contract Adversary {
    /// The same shape as the order book's own.
    event Action(address indexed account, uint8 indexed kind, uint64 ticket, bytes data);

    uint256[8] private _spare;

    constructor() payable {}

    /// @dev Takes whatever comes; not run when the node pays a withdrawal out.
    receive() external payable {
        revert("takes nothing");
    }

    function forward(bytes calldata data, uint256 value) public payable returns (bytes memory answer) {
        bool ok;
        (ok, answer) = address(PRIME_ORDERS).call{value: value}(data);
        _bubble(ok, answer);
    }

    function forwardMany(bytes calldata data, uint256 count) external {
        for (uint256 index = 0; index < count; index++) forward(data, 0);
    }

    function delegate(bytes calldata data) external returns (bytes memory answer) {
        bool ok;
        (ok, answer) = address(PRIME_ORDERS).delegatecall(data);
        _bubble(ok, answer);
    }

    /// @return ok of a write in a static call, which gets so much gas
    function forwardStatic(bytes calldata data, uint256 gasLimit) external view returns (bool ok) {
        (ok, ) = address(PRIME_ORDERS).staticcall{gas: gasLimit}(data);
    }

    function forwardThenRevert(bytes calldata data, uint256 value) external {
        forward(data, value);
        revert("changed my mind");
    }

    function forwardThenBurn(bytes calldata data, uint256 value) external {
        forward(data, value);
        while (true) {}
    }

    /// @dev Two writes of which the inner one is taken back, with its value.
    function forwardAround(bytes calldata outer, bytes calldata inner, uint256 value, bool burn) external {
        forward(outer, 0);
        uint256 gasLimit = 200_000;
        if (burn) try this.forwardThenBurn{gas: gasLimit}(inner, value) {} catch {}
        else try this.forwardThenRevert{gas: gasLimit}(inner, value) {} catch {}
    }

    /// @dev A log that looks like a write of somebody else.
    function forgeLog(address account, uint8 kind, uint64 ticket, bytes calldata data) external {
        emit Action(account, kind, ticket, data);
    }

    /// @dev Wei that reach the order book without any call.
    function destroyInto() external {
        selfdestruct(payable(address(PRIME_ORDERS)));
    }

    function _bubble(bool ok, bytes memory answer) private pure {
        if (ok) return;
        assembly ("memory-safe") {
            revert(add(answer, 32), mload(answer))
        }
    }
}
