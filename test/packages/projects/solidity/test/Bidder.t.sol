// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

import {OrderStatus} from "@prime/contracts/PrimeConstants.sol";
import {PRIME_ORDERS} from "@prime/contracts/IPrimeOrders.sol";
import {PrimeOrdersForge} from "@prime/contracts/mock/PrimeOrdersForge.sol";
import {PrimeOrdersMock} from "@prime/contracts/mock/PrimeOrdersMock.sol";
import {Bidder} from "../contracts/Bidder.sol";

contract BidderTest {
    PrimeOrdersMock private _mock;
    Bidder private _bidder;

    function setUp() public {
        _mock = PrimeOrdersForge.install();
        _mock.addMarket("ETH/USD", 5, 1, 1000, 500);
        _bidder = new Bidder();
    }

    function testBids() public {
        _bidder.deposit{value: 1000}();
        _bidder.bid(100, 10, 1);
        PrimeOrdersForge.advance(2);
        (uint64 id, uint8 status, ) = PRIME_ORDERS.orderByClientId(address(_bidder), 1);
        require(status == OrderStatus.OPEN, "open");
        _mock.fill(id, 4);
        (int256 size, uint256 entry) = PRIME_ORDERS.position(address(_bidder), 1);
        require(size == 4 && entry == 400, "position");
    }
}
